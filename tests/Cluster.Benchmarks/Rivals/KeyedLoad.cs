using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Rivals;

/// <summary>Reads and writes values by key as a number of callers do, each of which waits for its answer before it asks
/// again. All sides get the same keys in the same order. Stateless.</summary>
internal static class KeyedLoad
{
    public const int ValueBytes = 200;

    private const int FillCallers = 64;
    private const int KeyCount = 4_000;

    // The step has no common factor with the number of keys, so the walk meets all of them.
    private const long KeyStep = 7_919;

    private static readonly string[] Keys = [.. Enumerable.Range(0, KeyCount).Select(number => $"session:{number}")];

    public static readonly byte[] Value = [.. Enumerable.Range(0, ValueBytes).Select(number => (byte)number)];

    /// <summary>A number of reads by a number of callers, as a side of a race. Each value is checked.</summary>
    /// <param name="name">Its name in the race.</param>
    /// <param name="callers">How many read at once.</param>
    /// <param name="get">Reads the value of a key.</param>
    /// <param name="bytesOf">The value in what was read.</param>
    public static Contender Reads<T>(
        string name, int callers, Func<string, ValueTask<T>> get, Func<T, byte[]?> bytesOf) =>
        Contender.Async(name, count => ReadAsync(callers, count, get, bytesOf));

    /// <summary>A number of writes by a number of callers, as a side of a race.</summary>
    /// <param name="name">Its name in the race.</param>
    /// <param name="callers">How many write at once.</param>
    /// <param name="set">Writes the value of a key.</param>
    public static Contender Writes<T>(string name, int callers, Func<string, ValueTask<T>> set) =>
        Contender.Async(name, count => WriteAsync(callers, count, set));

    /// <summary>Makes a number of reads.</summary>
    /// <param name="callers">How many read at once.</param>
    /// <param name="count">How many reads they make together.</param>
    /// <param name="get">Reads the value of a key.</param>
    /// <param name="bytesOf">The value in what was read.</param>
    public static Task ReadAsync<T>(
        int callers, int count, Func<string, ValueTask<T>> get, Func<T, byte[]?> bytesOf) =>
        CallerTurns.RunAsync(callers, count, async number =>
        {
            Check(bytesOf(await get(KeyAt(number))));
            return true;
        });

    /// <summary>Makes a number of writes.</summary>
    /// <param name="callers">How many write at once.</param>
    /// <param name="count">How many writes they make together.</param>
    /// <param name="set">Writes the value of a key.</param>
    public static Task WriteAsync<T>(int callers, int count, Func<string, ValueTask<T>> set) =>
        CallerTurns.RunAsync(callers, count, number => set(KeyAt(number)));

    /// <summary>Writes the value of each key once.</summary>
    /// <param name="set">Writes the value of a key.</param>
    public static Task FillAsync<T>(Func<string, ValueTask<T>> set) => WriteAsync(FillCallers, KeyCount, set);

    public static string KeyAt(long number) => Keys[number * KeyStep % KeyCount];

    public static void Check(byte[]? value)
    {
        if (value is not { Length: ValueBytes } || value[^1] != Value[^1])
            throw new InvalidOperationException($"A value is wrong: {value?.Length ?? 0} bytes.");
    }
}
