// C++ sample: "quotes", it's fine
#pragma once
#include <vector>
#include <string>

namespace app::detail {

/* block with "quotes" */
template <typename T, size_t N = 10>
class Buffer final : public Base<T> {
public:
	explicit Buffer(std::string name) noexcept : name_(std::move(name)), size_{0} {}
	virtual ~Buffer() = default;
	Buffer(const Buffer &) = delete;

	[[nodiscard]] auto size() const -> size_t { return size_; }
	T &operator[](size_t i) { return data_[i]; }
	static constexpr int kMax = 1'000'000;

private:
	std::vector<T> data_;
	std::string name_;
	size_t size_ = 0x1F;
};

enum class Color { Red, Green };

struct Point {
	double x = 1.5e-3, y = 2.0;
	bool operator==(const Point &o) const { return x == o.x && y == o.y; }
};

std::string describe(const Point &p, int depth) {
	std::string s = "point // not a comment \"x\"";
	auto raw = R"(raw "string" with // and \ )";
	auto delim = R"x(another )" one)x";
	char c = '\'';
	auto u = u8"utf8";
	if (p.x > 1 && depth < 3) {
		throw std::runtime_error("bad: " + s);
	}
	for (const auto &[key, value] : map) {
		std::cout << key << ' ' << value << std::endl;
	}
	auto lambda = [&](int a) -> int { return a * 2; };
	int *ptr = new int[10];
	delete[] ptr;
	try {
		lambda(1);
	} catch (const std::exception &e) {
		std::cerr << e.what() << "\n";
	}
	return static_cast<bool>(depth) ? nullptr : s.c_str();
}

} // namespace app::detail

int main() {
	using namespace app;
	std::vector<std::vector<int>> grid(3);
	int bits = 0b1010, oct = 0755;
	return 0;
}
const char *open = "the end
