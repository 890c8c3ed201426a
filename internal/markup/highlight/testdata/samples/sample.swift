// Swift: "quotes", it's fine
import Foundation

/* block /* nested "one" */ still a comment */
@objc public final class Sample<T: Codable>: NSObject, Shape {
    private let name: String = "a // not \"a\" comment"
    var count: Int = 1_000
    static let ratio: Double = 1.5e-3
    weak var delegate: Delegate?

    init(name: String) {
        self.count = 0
        super.init()
    }

    func area(of shape: Shape, scale: Double = 2.0) throws -> Double {
        guard let s = shape as? Circle, s.radius > 0 else { return 0 }
        switch s {
        case .circle where s.radius < 10:
            fallthrough
        default:
            break
        }
        for i in 0..<10 {
            if i % 2 == 0 && count != 0x1F { continue }
        }
        let text = """
        multi "line" text
        // not a comment
        """
        let list = [1, 2, 3].map { $0 * 2 }.filter { x in x > 2 }
        do {
            try load("x")
        } catch let error as NSError {
            print("bad", error)
        }
        defer { cleanup() }
        while true { return list.isEmpty ? nil : Double(list.count) }
    }

    @discardableResult
    public override func description() -> String { return "name" }
}

enum Color: Int { case red = 1, green }
protocol Shape { var sides: Int { get set } }
extension String { var trimmed: String { return self } }
struct Point { let x: Float, y: Float }

func greet(_ name: String) -> String {
    return "Hello"
}
#if DEBUG
let flag = true
#endif


/// Loads what is "needed", once.
final class Loader: ObservableObject {
    @Published private(set) var items: [Item] = []
    private var tasks: [URL: Task<Data, Error>] = [:]
    private let session = URLSession(configuration: .ephemeral)

    deinit {
        tasks.values.forEach { task in task.cancel() }
    }

    // Asks the server, unless it's known already.
    func load(from url: URL, retries: Int = 3) async throws -> Data {
        if let task = tasks[url] {
            return try await task.value
        }
        let task = Task { () throws -> Data in
            var last: Error?
            for attempt in 1...retries {
                do {
                    let (data, response) = try await session.data(from: url)
                    guard let http = response as? HTTPURLResponse, http.statusCode == 200 else {
                        throw LoadError.status("not \"OK\" // for \(url.path)")
                    }
                    return data
                } catch {
                    last = error
                    print("attempt \(attempt) of \(retries) failed: \(error.localizedDescription)")
                }
            }
            throw last ?? LoadError.unknown
        }
        tasks[url] = task
        defer { tasks[url] = nil }
        return try await task.value
    }

    static func == (left: Loader, right: Loader) -> Bool {
        return left === right
    }
}

enum LoadError: Error {
    case status(String)
    case unknown
}

// What is shown of a session: its title, and how long it took.
struct Summary: Identifiable {
    let id: String
    let title: String
    let seconds: Int

    var duration: String {
        if seconds < 60 {
            return "\(seconds) s"
        }
        let minutes = seconds / 60
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    func matches(_ query: String) -> Bool {
        return query.isEmpty || title.lowercased().contains(query.lowercased())
    }
}
