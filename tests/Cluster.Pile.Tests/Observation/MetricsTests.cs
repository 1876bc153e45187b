using System.Diagnostics.Metrics;
using System.Text.RegularExpressions;
using Cluster.Pile.Caching;
using Cluster.Pile.Observation;
using Cluster.Pile.Tests.Snapshots;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Observation;

/// <summary>The meter <c>Cluster.Pile</c>, as a listener sees it.</summary>
public sealed partial class MetricsTests
{
    private const int AttemptsMax = 20;

    [Fact]
    public void Instruments_OfAnOpenPile_AgreeWithItsStatistics()
    {
        using var pile = Create("instruments");
        var pointers = Enumerable.Range(0, 1000).Select(i => pile.Put(new byte[i])).ToList();
        pile.Put(pointers[0], new byte[3000]);
        pile.Read(pointers[5], new byte[100]);
        Assert.All(pointers.Skip(500), pointer => Assert.True(pile.Delete(pointer)));
        var seen = Observe("instruments");
        var s = pile.GetStatistics();

        Assert.Equal(s.LiveBytes, seen["cluster.pile.memory/live"]);
        Assert.Equal(s.FreeBytes, seen["cluster.pile.memory/free"]);
        Assert.Equal(s.BufferBytes, seen["cluster.pile.memory/buffers"]);
        Assert.Equal(s.RecordBytes, seen["cluster.pile.memory/records"]);
        Assert.Equal(s.OverheadBytes, seen["cluster.pile.memory/overhead"]);
        Assert.Equal(s.ReservedBytes, seen["cluster.pile.memory/reserved"]);
        Assert.Equal(64 * Piles.MiB, seen["cluster.pile.memory/budget"]);
        Assert.Equal(500, seen["cluster.pile.objects"]);
        Assert.Equal(1, seen["cluster.pile.links"]);
        Assert.Equal(1001, seen["cluster.pile.operations/put"]);
        Assert.Equal(1, seen["cluster.pile.operations/get"]);
        Assert.Equal(500, seen["cluster.pile.operations/delete"]);
        Assert.Equal(s.Fragmentation, seen["cluster.pile.fragmentation"]);
        Assert.InRange(seen["cluster.pile.fragmentation"], 0.1, 1);
        Assert.Equal(s.SegmentsInUse, seen["cluster.pile.segments/in_use"]);
        Assert.InRange(s.SegmentsInUse, 1, 32);
        Assert.Equal(s.SegmentsReady, seen["cluster.pile.segments/ready"]);
        Assert.Equal(s.SegmentsGivenBack, seen["cluster.pile.segments/given_back"]);
        Assert.Equal(18, seen.Count);
    }

    [Fact]
    public void CacheTables_OfAnOpenPile_AreObservedByName()
    {
        using var pile = Create("caches");
        var cache = new PileCache(pile);
        var table = cache.GetOrCreateTable<int, string>("people");
        cache.GetOrCreateTable<int, string>("empty");
        table.Put(1, "a");
        table.Put(1, "b");
        table.Put(2, "c");
        table.TryGet(1, out _);
        table.TryGet(3, out _);
        table.TryGet(4, out _);
        table.Remove(2);
        var seen = Observe("caches");
        Assert.Equal(1, seen["cluster.pile.cache.requests/people/hit"]);
        Assert.Equal(2, seen["cluster.pile.cache.requests/people/miss"]);
        Assert.Equal(2, seen["cluster.pile.cache.puts/people/inserted"]);
        Assert.Equal(1, seen["cluster.pile.cache.puts/people/replaced"]);
        Assert.Equal(0, seen["cluster.pile.cache.puts/people/refused"]);
        Assert.Equal(1, seen["cluster.pile.cache.removals/people/removed"]);
        Assert.Equal(0, seen["cluster.pile.cache.removals/people/evicted"]);
        Assert.Equal(0, seen["cluster.pile.cache.removals/people/expired"]);
        Assert.Equal(1, seen["cluster.pile.cache.entries/people"]);
        Assert.Equal(table.GetStatistics().Bytes, seen["cluster.pile.cache.memory/people"]);
        Assert.Equal(0, seen["cluster.pile.cache.entries/empty"]);
    }

    [Fact]
    public void EntriesThatLeave_AreObservedByReason()
    {
        var clock = new ManualTimeProvider();
        using var pile = Create("reasons", clock);
        var cache = new PileCache(pile);
        var small = cache.GetOrCreateTable<int, byte[]>("small", new CacheTableOptions { MaxBytes = 2 * Piles.MiB });
        for (var key = 0; small.GetStatistics().Evictions == 0; key++)
            small.Put(key, new byte[10_000]);
        var durable = cache.GetOrCreateTable<int, byte[]>(
            "durable", new CacheTableOptions { Kind = CacheTableKind.NonEvicting, MaxBytes = 2 * Piles.MiB });
        durable.Put(1, new byte[10], maxAge: TimeSpan.FromSeconds(1));
        Assert.Equal(PutResult.Refused, durable.Put(2, new byte[4 << 20]));
        clock.Advance(TimeSpan.FromMinutes(1));
        Assert.False(durable.TryGet(1, out _));
        var seen = Observe("reasons");
        Assert.Equal(small.GetStatistics().Evictions, seen["cluster.pile.cache.removals/small/evicted"]);
        Assert.Equal(1, seen["cluster.pile.cache.removals/durable/expired"]);
        Assert.Equal(1, seen["cluster.pile.cache.puts/durable/refused"]);
        Assert.InRange(seen["cluster.pile.cache.memory/small"], 1 * Piles.MiB, 2 * Piles.MiB);
    }

    [Fact]
    public async Task Snapshots_AreObserved_FromTheFirstOneOn()
    {
        using var folder = new SnapshotDirectory();
        var clock = new ManualTimeProvider();
        using var pile = Create("saved", clock);
        Assert.DoesNotContain("cluster.pile.snapshot.age", Observe("saved").Keys);
        await pile.SaveAsync(folder.Path);
        clock.Advance(TimeSpan.FromSeconds(90));
        var notAFolder = Path.Join(folder.Path, folder.Names[0]);
        await Assert.ThrowsAsync<PileSnapshotException>(() => pile.SaveAsync(notAFolder));
        var seen = Observe("saved");
        Assert.Equal(90, seen["cluster.pile.snapshot.age"]);
        Assert.Equal(0, seen["cluster.pile.snapshot.duration"]);
        Assert.Equal(folder.Names.Sum(name => new FileInfo(Path.Join(folder.Path, name)).Length),
            seen["cluster.pile.snapshot.size"]);
        Assert.Equal(1, seen["cluster.pile.snapshots/done"]);
        Assert.Equal(1, seen["cluster.pile.snapshots/failed"]);
    }

    // Name, unit and parts of each, and nothing else.
    [Fact]
    public void Instruments_AreThoseOfThePage()
    {
        var page = File.ReadAllText(RepositoryFile.PathOf("docs/pile.md"));
        var named = InstrumentRow().Matches(page).ToDictionary(row => row.Groups[1].Value, row => row.Groups[2].Value);
        using var pile = Create("page");
        new PileCache(pile).GetOrCreateTable<int, int>("table");
        var found = new Dictionary<string, string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter == PileMeter.Meter)
                found.Add(instrument.Name, instrument.Unit!);
        };
        listener.Start();
        Assert.Equal(named.Select(one => $"{one}").Order(), found.Select(one => $"{one}").Order());
        foreach (var part in Observe("page").Keys.Select(key => key.Split('/')).Where(key => key.Length > 1))
            Assert.Contains(part[^1] == "table" ? "" : part[^1], PartsOf(page, part[0]), StringComparison.Ordinal);
    }

    private static string PartsOf(string page, string instrument) =>
        page.Split('\n').Single(line => line.StartsWith($"| `{instrument}` |", StringComparison.Ordinal));

    [Fact]
    public void DisposedPile_Vanishes_OthersStay()
    {
        using var other = Create("stays");
        var pile = Create("vanishes");
        Assert.NotEmpty(Observe("vanishes"));
        pile.Dispose();
        Assert.Empty(Observe("vanishes"));
        Assert.NotEmpty(Observe("stays"));
    }

    [Fact]
    public void ForgottenPile_IsNotKeptByTheMeter()
    {
        Forget();
        for (var attempt = 0; attempt < AttemptsMax && Observe("forgotten").Count > 0; attempt++)
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
        Assert.Empty(Observe("forgotten"));

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Forget()
        {
            var pile = Create("forgotten");
            Assert.NotEmpty(Observe("forgotten"));
            GC.KeepAlive(pile);
        }
    }

    [Fact]
    public void PileWithoutName_IsObservedUnderANumber()
    {
        using var pile = Piles.Create();
        using var listener = new MeterListener();
        var names = new HashSet<string>();
        Listen(listener, (_, tags, _) => names.Add((string)tags["cluster.pile.name"]!));
        listener.RecordObservableInstruments();
        Assert.Contains(names, name => name.StartsWith("pile-", StringComparison.Ordinal));
    }

    [GeneratedRegex(@"^\| `(cluster\.pile(?!\.buffers)[a-z.]+)` \| (\S+) \|", RegexOptions.Multiline)]
    private static partial Regex InstrumentRow();

    private static LocalPile Create(string name, TimeProvider? time = null) => new(new PileOptions
    {
        BudgetBytes = 64 * Piles.MiB, Name = name, TimeProvider = time ?? TimeProvider.System,
    });

    // By instrument and state.
    private static Dictionary<string, double> Observe(string pileName)
    {
        var seen = new Dictionary<string, double>();
        using var listener = new MeterListener();
        Listen(listener, (instrument, tags, value) =>
        {
            if (!pileName.Equals(tags["cluster.pile.name"]))
                return;
            var part = tags.Where(tag => tag.Key != "cluster.pile.name").Select(tag => "/" + tag.Value);
            seen.Add(instrument + string.Concat(part), value);
        });
        listener.RecordObservableInstruments();
        return seen;
    }

    // By instance: other copies of the library, which tests load beside this one, have meters of that name, too.
    private static void Listen(MeterListener listener, Action<string, Dictionary<string, object?>, double> see)
    {
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter == PileMeter.Meter)
                self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, tags, _) => see(instrument.Name, new(tags.ToArray()), value));
        listener.SetMeasurementEventCallback<double>(
            (instrument, value, tags, _) => see(instrument.Name, new(tags.ToArray()), value));
        listener.Start();
    }
}
