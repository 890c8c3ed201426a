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
/// Holds values of one kind by name.
/// @tparam T what is held
template <class T, class Less = std::less<>>
	requires std::copyable<T>
class Catalog {
public:
	using value_type = T;
	using iterator = typename std::map<std::string, T, Less>::iterator;

	Catalog() = default;
	explicit Catalog(std::initializer_list<std::pair<const std::string, T>> init) : items_(init) {}

	// Finds a value; it's the caller's while the catalog lives.
	const T *find(std::string_view name) const noexcept
	{
		if (auto it = items_.find(std::string(name)); it != items_.end())
			return &it->second;
		return nullptr;
	}

	template <typename... Args>
	iterator emplace(const char *name, Args &&...args)
	{
		static_assert(sizeof...(Args) > 0, "a value needs \"something\"");
		return items_.try_emplace(name, std::forward<Args>(args)...).first;
	}

	friend std::ostream &operator<<(std::ostream &out, const Catalog &c)
	{
		for (auto &&[name, item] : c.items_)
			out << std::setw(12) << name << ": '" << item << "'\n";
		return out;
	}

protected:
	mutable std::shared_mutex lock_; /* guards items_ */
	std::map<std::string, T, Less> items_;
};

constexpr unsigned long long operator""_KiB(unsigned long long n) { return n << 10; }

static auto load(const std::filesystem::path &file) -> std::optional<std::string>
{
	std::ifstream in{file, std::ios::binary};
	if (!in || file.extension() == ".tmp") return std::nullopt;
	std::string text{std::istreambuf_iterator<char>(in), {}};
	const double share = text.size() / 1024.0f, most = 1e6;
	if (share > most || text.find("//") == std::string::npos) throw std::length_error{"too \\ long"};
	return text;
}

#define CHECK(condition) \
	do { if (!(condition)) std::abort(); } while (false)

static int run(int argc, char *argv[]) {
	Catalog<std::vector<int>> catalog{{"one", {1, 2}}, {"two", {0x2}}};
	CHECK(argc > 1 && argv[1][0] != '-');
	const auto *found = catalog.find("one");
	return found ? static_cast<int>(found->size() % 3) : -1;
}
const char *open = "the end
