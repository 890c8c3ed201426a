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
