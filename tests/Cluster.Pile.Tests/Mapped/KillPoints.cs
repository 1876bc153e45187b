using Cluster.Pile.Tests.Litmus;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>One change of a mapped pile in the woven build, with something done before each of its accesses to memory,
/// and what has to be true of the pile if its process is killed there. Owned by one scenario; all on one thread, so
/// each run is the same.</summary>
internal sealed class KillPoints
{
    public const long BudgetBytes = 6 * Piles.MiB;
    public const ulong OldSeed = 1_000_001;
    public const ulong NewSeed = 1_000_002;

    /// <summary>What a line of the report says first.</summary>
    public const string Stays = "stays";
    public const string Gone = "gone";
    public const string Changes = "changes";
    public const string Goes = "goes";
    public const string AllOrNothing = "all or nothing";

    /// <summary>How a name ends when the pile was disposed before the change, and attached anew.</summary>
    public const string Anew = ", attached anew";

    private const int Neighbours = 60;
    private const int BodyBytes = 3000;
    private const int LargeBytes = 400_000;

    private readonly TestFolder _folder;
    private readonly string _change;
    private readonly bool _isAttachedAnew;
    private readonly List<string> _report = [];
    private LocalPile _pile = null!;

    public KillPoints(TestFolder folder, string change)
    {
        _folder = folder;
        _isAttachedAnew = change.EndsWith(Anew, StringComparison.Ordinal);
        _change = _isAttachedAnew ? change[..^Anew.Length] : change;
    }

    /// <summary>The changes by name: of a new pile, and of one that had been disposed before.</summary>
    public static IReadOnlyList<string> Names => [.. Changed, .. Changed.Select(name => name + Anew)];

    private static string[] Changed { get; } =
    [
        "same length", "shorter", "to a link", "body, same class", "larger body", "link to slot", "large, same",
        "small to large", "large body", "text to bytes", "with time to live", "delete", "delete linked", "delete large",
        "put", "put large", "put into new slab", "end of slabs", "compact", "purge",
    ];

    /// <summary>Lines for the test: what stays, what changes, what is gone, by pointer and seed.</summary>
    public IReadOnlyList<string> Report => _report;

    /// <summary>Makes the change, and calls before each access with its number; gives how many there were.</summary>
    public long Run(Action<long> before)
    {
        _report.Clear();
        long accesses = 0;
        using var pile = _folder.Attach(BudgetBytes);
        _pile = pile;
        Surround();
        var change = Prepare();
        using var again = _isAttachedAnew ? AttachAnew() : null;
        LitmusPoints.ActionOfAll = () => before(accesses++);
        change();
        LitmusPoints.ActionOfAll = null;
        return accesses;
    }

    // With checksums of all that is there.
    private LocalPile AttachAnew()
    {
        _pile.Dispose();
        return _pile = _folder.Attach(BudgetBytes);
    }

    // Objects of many kinds, with holes, so that slabs are neither full nor empty and pointers are stale.
    private void Surround()
    {
        var gone = new List<PilePointer>();
        for (var i = 0; i < Neighbours; i++)
        {
            var size = i * 37 % 900;
            var pointer = _pile.Put(Piles.Payload((ulong)i, size));
            if (i % 5 == 0)
                _pile.Put(pointer, Piles.Payload((ulong)i, size + 1200));
            if (i % 3 == 0)
                gone.Add(pointer);
            else
                Tell(Stays, pointer, (ulong)i);
        }

        foreach (var pointer in gone)
        {
            Assert.True(_pile.Delete(pointer));
            Tell(Gone, pointer, 0);
        }
    }

    private Action Prepare() => _change switch
    {
        "same length" => Update(300, 0, 300),
        "shorter" => Update(300, 0, 20),
        "to a link" => Update(40, 0, BodyBytes),
        "body, same class" => Update(40, BodyBytes, BodyBytes - 8),
        "larger body" => Update(40, BodyBytes, BodyBytes * 3),
        "link to slot" => Update(40, BodyBytes, 24),
        "large, same" => Update(LargeBytes, 0, LargeBytes),
        "small to large" => Update(40, 0, LargeBytes),
        "large body" => Update(40, LargeBytes, LargeBytes + 100_000),
        "text to bytes" => TextToBytes(),
        "with time to live" => Update(300, 0, 280, new PutHints { TimeToLive = TimeSpan.FromHours(1) }),
        "delete" => Delete(300, 0),
        "delete linked" => Delete(40, BodyBytes),
        "delete large" => Delete(LargeBytes, 0),
        "put" => () => _pile.Put(Piles.Payload(NewSeed, 300)),
        "put large" => () => _pile.Put(Piles.Payload(NewSeed, LargeBytes)),
        "put into new slab" => () => _pile.Put(Piles.Payload(NewSeed, 20_000)),
        "end of slabs" => EndSlabs(),
        "compact" => Compact(),
        "purge" => Purge(),
        _ => throw new ArgumentOutOfRangeException(nameof(_change), _change, "There is no such change."),
    };

    private Action Update(int size, int grown, int next, PutHints hints = default)
    {
        var pointer = Put(size, grown);
        Tell(Changes, pointer, OldSeed);

        // A slab for the new value is there, so that most accesses are those of the update.
        Assert.True(_pile.Delete(_pile.Put(Piles.Payload(NewSeed, next), hints)));
        return () => _pile.Put(pointer, Piles.Payload(NewSeed, next), hints);
    }

    private Action TextToBytes()
    {
        var pointer = _pile.Put(new string('x', 200));
        Tell(Changes, pointer, 0);
        return () => _pile.Put(pointer, Piles.Payload(NewSeed, 150));
    }

    private Action Delete(int size, int grown)
    {
        var pointer = Put(size, grown);
        Tell(Goes, pointer, OldSeed);
        return () => _pile.Delete(pointer);
    }

    // Large enough slots for slabs of several blocks; all that is in them goes.
    private Action EndSlabs()
    {
        var pointers = Enumerable.Range(0, 30).Select(_ => Put(20_000, 0)).ToList();
        pointers.ForEach(pointer => Tell(Goes, pointer, OldSeed));
        return () =>
        {
            pointers.ForEach(pointer => _pile.Delete(pointer));
            _pile.Compact();
        };
    }

    // Bodies in sparse slabs, which move.
    private Action Compact()
    {
        var pointers = Enumerable.Range(0, 120).Select(_ => Put(40, BodyBytes)).ToList();
        for (var i = 0; i < pointers.Count; i++)
        {
            if (i % 4 != 0)
                Assert.True(_pile.Delete(pointers[i]));
            Tell(i % 4 != 0 ? Gone : Stays, pointers[i], OldSeed);
        }

        return () => _pile.Compact();
    }

    private Action Purge()
    {
        Tell(Stays, Put(40, BodyBytes), OldSeed);
        Tell(Stays, Put(LargeBytes, 0), OldSeed);
        _report.Add(AllOrNothing);
        return () => _pile.Purge();
    }

    private PilePointer Put(int size, int grown)
    {
        var pointer = _pile.Put(Piles.Payload(OldSeed, size));
        if (grown > 0)
            _pile.Put(pointer, Piles.Payload(OldSeed, grown));
        return pointer;
    }

    private void Tell(string what, PilePointer pointer, ulong seed) =>
        _report.Add($"{what} {pointer.ToUInt64()} {seed}");
}
