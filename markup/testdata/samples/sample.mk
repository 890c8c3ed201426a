# A comment with "quotes", it's fine
SHELL := /bin/bash
VERSION ?= 1.0
SRC = $(wildcard src/*.c)
OBJ = $(SRC:.c=.o)
export PATH

.PHONY: all clean

all: build test

build: $(OBJ)
	@echo "building $(VERSION)"
	$(CC) -o app $^ $(LDFLAGS)

%.o: %.c
	$(CC) -c $< -o $@

clean:
	rm -rf *.o app # it's gone

ifeq ($(OS),Windows_NT)
EXT = .exe
else
EXT =
endif

test: build
	for t in tests/*; do \
		./$$t || exit 1; \
	done
