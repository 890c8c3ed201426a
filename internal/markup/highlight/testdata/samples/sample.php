<?php
// A comment with "quotes", it's fine
# another 'one'
declare(strict_types=1);

namespace App\Models;

use App\Base\Model;

/**
 * Docs with "quotes".
 */
abstract class User extends Model implements JsonSerializable
{
    private const MAX = 1000;
    protected string $name = 'a // not \'a\' comment';
    public ?int $count = null;

    public function __construct(private array $items = [], int $n = 0x1F)
    {
        $this->name = "hello $name and {$this->items[0]} \"x\"";
        parent::__construct();
    }

    public static function create(string $name): static
    {
        if ($name === '' || !isset($x) && true) {
            throw new InvalidArgumentException("bad");
        }
        foreach ($items as $key => $value) {
            echo $key . ' => ' . $value . "\n";
        }
        $fn = fn($x) => $x * 1.5;
        $text = <<<EOT
Heredoc "text" // none
EOT;
        return new static($name);
    }
}

function helper($a, $b = 'x') {
    switch ($a) {
        case 1: return $b;
        default: break;
    }
    while ($i < 10) { $i++; }
    return array_map(function ($x) { return $x; }, [1, 2, 3]);
}
?>


/* A repository of posts: "newest" first, it's paged. */
final class PostRepository implements Countable
{
    private PDO $db;
    private array $cache = [];

    public function __construct(PDO $db, private readonly int $perPage = 20)
    {
        $this->db = $db;
    }

    // Finds the posts of one page.
    public function page(int $number = 1): array
    {
        if (array_key_exists($number, $this->cache)) {
            return $this->cache[$number];
        }
        $statement = $this->db->prepare('SELECT id, title FROM posts ORDER BY created_at DESC LIMIT ? OFFSET ?');
        $statement->execute([$this->perPage, ($number - 1) * $this->perPage]);
        $posts = [];
        while ($row = $statement->fetch(PDO::FETCH_ASSOC)) {
            $posts[] = new Post((int) $row['id'], trim($row['title']) . " // {$row['id']}");
        }
        return $this->cache[$number] = $posts;
    }

    public function count(): int
    {
        return (int) $this->db->query('SELECT COUNT(*) FROM posts')->fetchColumn();
    }

    public function find(?string $slug): ?Post
    {
        foreach ($this->page() as $post) {
            if ($post->slug === $slug || strtolower($post->title) == 'it\'s "first"') {
                return $post;
            }
        }
        return $slug !== '' ? $this->load($slug) : throw new LogicException("no post");
    }
}
?>
