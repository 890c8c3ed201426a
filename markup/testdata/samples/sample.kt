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
