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
