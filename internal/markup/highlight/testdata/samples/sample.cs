// C#: "quotes", it's fine
using System;
using System.Collections.Generic;

#region Types
namespace Example.App
{
    /* block "comment" */
    [Serializable]
    public class Sample<T> : Base, IDisposable where T : class, new()
    {
        private const int Max = 1000;
        private readonly string _name = "a // not \"a\" comment";
        private static double ratio = 1.5e-3;
        char quote = '\'', plain = 'x', back = '\\';
        public string Path { get; set; } = @"C:\temp\""quoted"" // no";

        [Obsolete("old")]
        public async Task<List<string>> LoadAsync(string url, int retries = 3)
        {
            var list = new List<string>();
            for (int i = 0; i < retries; i++)
            {
                if (i % 2 == 0 && url != null) continue;
                list.Add("item");
            }
            foreach (var x in list) { Console.WriteLine(x); }
            try
            {
                await Task.Delay(100);
            }
            catch (Exception e) when (e is not null)
            {
                throw new InvalidOperationException("bad", e);
            }
            finally { Dispose(); }
            string s = $"plain";
            return list.Where(x => x.Length > 3).Select(x => x.Trim()).ToList();
        }

        public override string ToString() => $"name {_name} of {Max:N2}";
        protected virtual void Dispose(bool disposing) { }
        public int this[int index] => index;
    }

    public enum Color { Red = 1, Green = 0xFF }
    public interface IShape { double Area(); }
    public record Point(int X, int Y);
    public struct Vec { public float x, y; }
}
#endregion


namespace Example.Web;

/// <summary>Answers what was "asked".</summary>
[ApiController]
[Route("api/[controller]")]
public sealed class ItemsController : ControllerBase
{
    private readonly ILogger<ItemsController> _logger;
    private static readonly Regex Pattern = new(@"^\d+(""\w+"")?$", RegexOptions.Compiled);

    public ItemsController(ILogger<ItemsController> logger) => _logger = logger;

#if DEBUG
    public bool Verbose { get; init; } = true;
#endif

    [HttpGet]
    public async Task<IActionResult> Get(string id, CancellationToken token = default)
    {
        if (string.IsNullOrEmpty(id) || !Pattern.IsMatch(id))
        {
            _logger.LogWarning("bad id '{Id}' // not a comment", id);
            return BadRequest(new { error = "bad id", id });
        }
        var items = from item in _store.Items
                    where item.Id == id && item.Count > 0
                    orderby item.Name descending
                    select new Item(item.Name, item.Count * 2);
        var label = id switch
        {
            "all" => "all of them",
            { Length: > 10 } => "long",
            _ => null,
        };
        const string Text = """
            raw "text" with // slashes
            and {braces}, it's fine
            """;
        await foreach (var part in ReadAsync(id, token).ConfigureAwait(false))
        {
            yield return part ?? throw new InvalidDataException(label);
        }
        int? total = items?.Sum(i => i.Count) ?? -1;
        lock (_store) { unchecked { total += 0b1010 * 10_000L; } }
        return Ok(label);
    }

    private static T Max<T>(T a, T b) where T : IComparable<T> => a.CompareTo(b) >= 0 ? a : b;
}
