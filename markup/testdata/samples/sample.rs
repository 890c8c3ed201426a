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
let open = "the end
