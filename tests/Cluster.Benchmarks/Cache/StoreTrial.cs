using Cluster.Benchmarks.Buffers;
using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Cache;

/// <summary>Fills one store with dense keys, alone in the heap, and keeps what that cost, round by round. Used by one
/// thread at a time.</summary>
/// <param name="name">How rows call the store; empty for ours.</param>
/// <param name="create">Makes an empty store for the number of entries, in touched memory where the store can keep
/// some.</param>
/// <param name="createLean">Makes one that keeps no memory ready, to see what entries take.</param>
internal sealed class StoreTrial(
    string name, Func<long, ICacheContender> create, Func<long, ICacheContender>? createLean = null)
{
    /// <summary>The size of every value.</summary>
    public const int ValueBytes = 64;

    private const int Collections = 3;

    private readonly List<double> _insertRates = [];
    private readonly List<double> _freshInsertRates = [];
    private readonly List<double> _insertRatesOfTwo = [];
    private readonly List<double> _entryBytes = [];
    private readonly List<double> _collectionMilliseconds = [];

    /// <summary>The name of the store in a race.</summary>
    public string Name => name;

    /// <summary>Whether this is ours.</summary>
    public bool IsOurs => name.Length == 0;

    /// <summary>How the store's row of a work is called.</summary>
    public string Row(string work) => IsOurs ? work : $"{work}.{name}";

    /// <summary>Millions of inserts a second into memory that was touched before.</summary>
    public double InsertRate => Race.Median([.. _insertRates]);

    /// <summary>The same into memory that comes from the system meanwhile.</summary>
    public double FreshInsertRate => Race.Median([.. _freshInsertRates]);

    /// <summary>Millions of inserts a second of two threads together, into touched memory.</summary>
    public double InsertRateOfTwo => Race.Median([.. _insertRatesOfTwo]);

    /// <summary>The rate of two threads over that of one, in the fastest rounds.</summary>
    public double GainOfTwo => _insertRatesOfTwo.Max() / _insertRates.Max();

    /// <summary>Resident bytes per entry.</summary>
    public double EntryBytes => Race.Median([.. _entryBytes]);

    /// <summary>What a full blocking collection takes with all entries there.</summary>
    public double CollectionMilliseconds => Race.Median([.. _collectionMilliseconds]);

    /// <summary>Runs one round with a new store.</summary>
    public void RunRound(long count)
    {
        Rehearse(count);
        using (var store = create(count))
            _insertRates.Add(count / SecondsOf(() => store.Fill(0, count)) / 1e6);

        var before = SettledBytes();
        using (var store = (createLean ?? create)(count))
        {
            _freshInsertRates.Add(count / SecondsOf(() => store.Fill(0, count)) / 1e6);
            _entryBytes.Add((double)(SettledBytes() - before) / count);
            for (var i = 0; i < Collections; i++)
                _collectionMilliseconds.Add(1000 * SecondsOf(CollectAll));
        }

        CollectAll();
        Rehearse(count);
        using (var store = create(count))
        {
            var seconds = SecondsOf(TwoThreads.Prepare(second => store.Fill(second * count / 2, count / 2)));
            _insertRatesOfTwo.Add(count / seconds / 1e6);
        }

        CollectAll();
    }

    /// <summary>A store with all keys in it, for reads.</summary>
    public ICacheContender CreateFilled(long count)
    {
        var store = create(count);
        store.Fill(0, count);
        return store;
    }

    // The heap keeps what an earlier store of a rival has touched; ours touches its own memory when it is made.
    private void Rehearse(long count)
    {
        if (IsOurs)
            return;
        using (var store = create(count))
            store.Fill(0, count);
        CollectAll();
    }

    private static double SecondsOf(Action work)
    {
        var started = Stopwatch.GetTimestamp();
        work();
        return Stopwatch.GetElapsedTime(started).TotalSeconds;
    }

    // Aggressive: the heap gives back what it does not need, so that the difference is what the store needs.
    private static long SettledBytes()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        return ProcessMemory.ResidentBytes();
    }

    private static void CollectAll() =>
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
}
