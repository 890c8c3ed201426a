//! Module docs: "quotes", it's fine.
#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::{self, Display};

/// A doc comment with "quotes" and 'c'.
#[derive(Debug, Clone, PartialEq)]
pub struct Point<'a, T: Display> {
    pub x: T,
    name: &'a str,
    count: usize,
}

/* block /* nested "one" */ still 'a comment */
enum Shape {
    Circle { radius: f64 },
    Square(f64),
    Empty,
}

const MAX_SIZE: u32 = 1_000;
static GREETING: &'static str = "hello // not a comment";

impl<'a, T: Display> Point<'a, T> {
    pub fn new(x: T, name: &'a str) -> Self {
        Point { x, name, count: 0 }
    }

    fn area(shape: &Shape) -> f64 {
        match shape {
            Shape::Circle { radius } => 3.14 * radius * radius,
            Shape::Square(s) if *s > 0.0 => s * s,
            _ => 0.0,
        }
    }
}

impl<'a, T: Display> fmt::Display for Point<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({})", self.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_works() {
        assert_eq!(2 + 2, 4, "math \"works\"");
    }
}

async fn fetch(url: &str) -> Result<String, Box<dyn std::error::Error>> {
    let raw = r"C:\path\";
    let hashed = r#"a "quoted" // string"#;
    let bytes = b"bytes\x00";
    let c = 'x';
    let q = '\'';
    let u = '\u{1F600}';
    let b = b'\n';
    let s = "multi
line \"string\" // no";
    let n = 0xff_u8 as i32 + 0b1010 + 0o17 + 1e10 as i32;
    let mut map: HashMap<String, Vec<u8>> = HashMap::new();
    'outer: loop {
        for i in 0..10 {
            if i == 5 { break 'outer; }
        }
    }
    map.entry("key".to_string()).or_insert_with(Vec::new).push(1);
    let closure = |a: i32| -> i32 { a + 1 };
    let t = (1, 2.5, true, 'a');
    let resp = client.get(url).send().await?;
    unsafe { *ptr = 1; }
    if let Some(x) = option && x != 3 { return Ok(x.to_string()); }
    while let Some(top) = stack.pop() {}
    println!("done");
    Err("bad".into())
}

macro_rules! square {
    ($x:expr) => { $x * $x };
}

trait Animal { fn name(&self) -> String; }
type Alias<T> = Option<T>;
pub(crate) struct Scanner<'src, R: Read + ?Sized> {
    input: &'src mut R,
    buffer: Vec<u8>,
    line: usize, // from 1, it's for messages
}

impl<'src, R> Scanner<'src, R>
where
    R: Read + Send + 'static,
{
    const LIMIT: usize = 64 * 1024;

    #[inline(always)]
    #[must_use = "a scanner does \"nothing\" by itself"]
    pub fn with_capacity(input: &'src mut R, capacity: usize) -> Self {
        Self { input, buffer: Vec::with_capacity(capacity.min(Self::LIMIT)), line: 1 }
    }

    pub fn next_token(&mut self) -> Result<Option<Token>, ScanError> {
        let mut bytes = self.buffer.iter().copied().enumerate().peekable();
        while let Some((index, byte)) = bytes.next() {
            let token = match byte {
                b' ' | b'\t' | b'\r' => continue,
                b'\n' => {
                    self.line += 1;
                    continue;
                }
                b'"' => self.string(index)?,
                b'/' if matches!(bytes.peek(), Some((_, b'/'))) => break,
                b'0'..=b'9' => Token::Number(self.number(index)? as f64 / 10.0),
                b'\'' | b'`' => return Err(ScanError::Quote { line: self.line }),
                other => return Err(format!("line {}: {other:?}", self.line).into()),
            };
            return Ok(Some(token));
        }
        Ok(None)
    }
}

const QUERY: &str = r##"select "a" -- r#"inner"# // text"##;
const ESCAPED: &str = "tab \t quote \" slash \\";

impl<T> From<Vec<T>> for Stack<T> {
    fn from(items: Vec<T>) -> Self {
        let [first, .., last] = items.as_slice() else { unreachable!() };
        Stack { depth: items.len(), range: *first..*last }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let port = args.first().map(|a| a.parse::<u16>()).transpose()?.unwrap_or(8080);
    tracing::info!(port, "listening on {}", "localhost");
    let tasks = (0..4).map(|n| tokio::spawn(async move { n << 2 })).collect::<Vec<_>>();
    for task in tasks {
        println!("{}", task.await? / 2);
    }
    Ok(())
}
let open = "the end
