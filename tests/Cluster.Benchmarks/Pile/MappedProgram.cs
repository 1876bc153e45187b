using Cluster.Benchmarks.Harness;
using Cluster.Pile;
using Cluster.Pile.Caching;
using Cluster.Pile.Cells;

namespace Cluster.Benchmarks.Pile;

/// <summary>The command <c>mapped [--count 1000000]</c>: what a change costs in a mapped pile beside one in memory, the
/// two in turn on touched memory, and how long the next process takes to attach. Stateless.</summary>
public static class MappedProgram
{
    /// <summary>The word on the command line.</summary>
    public const string Command = "mapped";

    private const string Usage = $"usage: {Command} [--count N]; so many objects, cells and entries of each kind";
    private const int CountUsual = 1_000_000;
    private const int Size = 64;
    private const int BytesPerCount = 1500;
    private const int AttachRounds = 3;

    /// <summary>Runs the comparison.</summary>
    /// <param name="arguments">What follows the command.</param>
    /// <param name="output">Gets the figures.</param>
    /// <returns>0, or 2 for a wrong command line.</returns>
    public static int Run(ReadOnlySpan<string> arguments, TextWriter output)
    {
        var count = CountUsual;
        var isRight = arguments.Length == 0
            || (arguments.Length == 2 && arguments[0] == "--count"
                && int.TryParse(arguments[1], CultureInfo.InvariantCulture, out count) && count > 0);
        if (!isRight || !OperatingSystem.IsLinux())
        {
            output.WriteLine(isRight ? "Skipped: there are mapped piles on Linux only." : Usage);
            return isRight ? 0 : 2;
        }

        var root = Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath();
        var folder = Path.Join(root, $"cluster-mapped-{Environment.ProcessId}");
        try
        {
            Compare(folder, count, output);
            Attach(folder, count, output);
        }
        finally
        {
            if (Directory.Exists(folder))
                Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    private static PileOptions Options(string? folder, int count) =>
        new() { BudgetBytes = Math.Max(64L << 20, (long)count * BytesPerCount), MappedFolder = folder };

    private static void Compare(string folder, int count, TextWriter output)
    {
        using var plain = new LocalPile(Options(null, count));
        using var mapped = new LocalPile(Options(folder, count));
        output.WriteLine($"{count:N0} of each, {Size} bytes, nanoseconds a change: in memory, mapped, ratio");
        var pointers = new PilePointer[2][];
        Compare("put", (pile, side) => pointers[side] = PutAll(pile, pointers[side] ?? new PilePointer[count]));
        Compare("update of an object", (pile, side) => UpdateAll(pile, pointers[side]));
        Compare("save of a cell", (pile, _) => SaveAll(CellTable.GetOrCreate(pile, "cells"), count));
        Compare("put of an entry", (pile, _) => PutAll(new PileCache(pile), count));

        // The first round makes what the later ones change, but objects, of which each makes its own.
        void Compare(string name, Action<LocalPile, int> change)
        {
            change(plain, 0);
            change(mapped, 1);
            var seconds = Rounds.MedianSeconds(() => () => change(plain, 0), () => () => change(mapped, 1));
            var (memory, file) = (seconds[0] / count * 1e9, seconds[1] / count * 1e9);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"{name,-20} {memory,8:F0} {file,8:F0} {file / memory,6:F2}"));
            output.Flush();
        }
    }

    private static void Attach(string folder, int count, TextWriter output)
    {
        var seconds = new double[AttachRounds];
        for (var round = 0; round < AttachRounds; round++)
        {
            var started = Stopwatch.GetTimestamp();
            using var pile = new LocalPile(Options(folder, count));
            seconds[round] = Stopwatch.GetElapsedTime(started).TotalSeconds;
        }

        var median = Race.Median(seconds);
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"attach after a clean end, {count:N0} objects, cells and entries each: {median:F3} s, "
            + $"{median / (2.0 * count) * 1e6:F3} s for a million records"));
    }

    // All of the round before go first, so that memory stays the same.
    private static PilePointer[] PutAll(LocalPile pile, PilePointer[] pointers)
    {
        Span<byte> payload = stackalloc byte[Size];
        for (var i = 0; i < pointers.Length; i++)
        {
            if (!pointers[i].IsDefault)
                pile.Delete(pointers[i]);
            payload[0] = (byte)i;
            pointers[i] = pile.Put(payload);
        }

        return pointers;
    }

    private static void UpdateAll(LocalPile pile, PilePointer[] pointers)
    {
        Span<byte> payload = stackalloc byte[Size];
        foreach (var pointer in pointers)
            pile.Put(pointer, payload);
    }

    private static void SaveAll(CellTable cells, int count)
    {
        Span<byte> payload = stackalloc byte[Size];
        for (long id = 0; id < count; id++)
            cells.Save(id, 1, payload);
    }

    private static void PutAll(PileCache cache, int count)
    {
        var table = cache.GetOrCreateTable<long, byte[]>(
            "entries", new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
        Span<byte> payload = stackalloc byte[Size];
        for (long key = 0; key < count; key++)
            table.Put(key, payload);
    }
}
