// Kotlin: "quotes", it's fine
package com.example.app

import kotlinx.coroutines.*

/* block with "quotes" */
@Serializable
data class User(val id: Int, var name: String = "none", val tags: List<String> = emptyList())

sealed interface Shape {
    object Empty : Shape
    class Circle(val radius: Double) : Shape
}

private const val MAX = 1_000
val hex = 0xFF
val raw = """raw "string" with
// not a comment and \ """

fun describe(shape: Shape): String = when (shape) {
    is Shape.Circle -> "circle with r"
    Shape.Empty -> "empty // not a comment"
    else -> "other \"x\""
}

suspend fun load(url: String, retries: Int = 3): Result<User> {
    val c = 'x'
    val q = '\''
    for (i in 0..retries) {
        if (i > 2 && url.isNotEmpty()) break else continue
    }
    val list = listOf(1, 2, 3).map { it * 2 }.filter { x -> x > 2.5 }
    try {
        return Result.success(User(1, "a"))
    } catch (e: Exception) {
        throw IllegalStateException("bad", e)
    } finally {
        println("done")
    }
    val x: String? = null
    val len = x?.length ?: -1
    while (true) { return Result.failure(e!!) }
}

class Repo : Base(), Closeable {
    companion object { fun create() = Repo() }
    private val lock = Any()
    override fun close() { lock.hashCode() }
    lateinit var name: String
}

fun main(args: Array<String>) {
    println("Hello $name and " + args.size)
}


/**
 * Draws a table; it's the caller who "closes" [out].
 * @param rows what to draw
 */
@JvmOverloads
inline fun <reified T : Comparable<T>> Appendable.table(rows: List<T>, crossinline label: (T) -> String): Appendable {
    val widths = rows.groupBy { it::class.simpleName ?: "none" }
    for ((name, items) in widths) {
        append("$name: ${items.joinToString(", ") { "'${label(it)}'" }} of ${rows.size}\n")
    }
    return apply { append('\n') }
}

internal class Settings private constructor(private val map: MutableMap<String, Any?>) {
    var limit: Int by map
        private set
    val path: String get() = map["path"] as? String ?: error("no path // in settings")
    operator fun get(key: String): Any? = map[key]

    init {
        require(limit in 1..1_000) { "limit is $limit, it's out of bounds" }
    }
}

fun template(user: User) = """
    <html lang="en"> <!-- "no" comment of ours -->
      <b>${user.name.ifEmpty { "nobody" }}</b> // ${'$'}price
    </html>
""".trimIndent()

tailrec fun gcd(a: Long, b: Long): Long = if (b == 0L) a else gcd(b, a % b)

object Main {
    @JvmStatic
    fun run(vararg args: String) = runBlocking<Unit> {
        val flow = flowOf(0x1F, 0b101, 3).onEach { delay(10) }
        flow.collect { value -> println(value / 2.0f) } // one at a time
        val point = object : Shape { override fun toString() = "point" }
        when {
            args.isEmpty() || point !is Shape.Circle -> return@runBlocking
            else -> Unit
        }
    }
}
