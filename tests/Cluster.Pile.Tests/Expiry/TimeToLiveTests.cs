using Cluster.Buffers;
using Cluster.Pile.Expiry;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Expiry;

/// <summary>Objects with a time to live: gone to the tick when it is over, their memory back soon after.</summary>
public sealed class TimeToLiveTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromTicks(1);
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);
    private static readonly PutHints OneMinute = new() { TimeToLive = Minute };

    // The stated lag without the time of a pass, which takes none on this clock but its rests.
    private static readonly TimeSpan Lag = TimeSpan.FromSeconds(2);

    private readonly ManualTimeProvider _time = new();

    public static TheoryData<int, int> Shapes { get; } = new()
    {
        // size at first, size after an update without hints
        { 0, -1 },
        { 64, -1 },
        { 64, 64 },
        { 10, 200 },
        { 10, 20_000 },
        { 10, 300_000 },
        { 262_143, -1 },
        { 300_000, 10 },
        { 300_000, 2_000_000 },
    };

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Object_AfterItsTimeToLive_IsAsIfDeleted(int size, int nextSize)
    {
        using var pile = CreateWithoutSweeps();
        var pointer = pile.Put(Piles.Payload(1, size), OneMinute);
        if (nextSize >= 0)
        {
            _time.Advance(Minute / 2);
            pile.Put(pointer, Piles.Payload(1, nextSize));
            _time.Advance(Minute / 2 - Tick);
        }
        else
        {
            nextSize = size;
            _time.Advance(Minute - Tick);
        }

        Assert.Equal(Piles.Payload(1, nextSize), pile.GetBytes(pointer));
        Assert.Equal(nextSize, pile.SizeOf(pointer));
        Assert.True(pile.IsLive(pointer));
        _time.Advance(Tick);
        CheckGone(pile, pointer);
        Assert.Equal(1, pile.GetStatistics().Objects);
        Assert.False(pile.Delete(pointer));
        CheckGone(pile, pointer);
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public void Object_ThatNobodyUses_GivesItsMemoryBackWithinTheLag(int size, int nextSize)
    {
        using var pile = Create();
        var pointer = pile.Put(Piles.Payload(1, size), OneMinute);
        if (nextSize >= 0)
            pile.Put(pointer, Piles.Payload(2, nextSize));
        var stays = pile.Put(Piles.Payload(3, size));
        _time.Advance(Minute - Tick);
        Assert.Equal(2, pile.GetStatistics().Objects);
        _time.Advance(Lag + Tick);
        var statistics = pile.GetStatistics();
        Assert.Equal((1, 0, size), (statistics.Objects, statistics.Links, statistics.LiveBytes));
        Assert.True(Piles.IsPayload(pile.GetBytes(stays), 3));
        CheckGone(pile, pointer);
        Assert.True(pile.Delete(stays));
        PileChecks.AllSlotsAreFree(pile);
        Assert.Equal(0, _time.ArmedTimerCount);
    }

    [Fact]
    public void Put_OfTextAndGraphs_TakesTimesToLive()
    {
        using var pile = CreateWithoutSweeps();
        PilePointer[] pointers =
        [
            pile.Put("Größe", OneMinute),
            pile.Put("длина", OneMinute),
            pile.Put<object>("any", OneMinute),
            pile.Put(new byte[] { 1, 2 }, OneMinute),
            pile.Put(new Version(1, 2), OneMinute),
        ];
        _time.Advance(Minute - Tick);
        Assert.Equal("Größe", pile.GetString(pointers[0]));
        Assert.Equal("длина", pile.GetString(pointers[1]));
        Assert.Equal("any", pile.Get<object>(pointers[2]));
        Assert.Equal([1, 2], pile.Get<byte[]>(pointers[3]));
        Assert.Equal(new Version(1, 2), pile.Get<Version>(pointers[4]));
        _time.Advance(Tick);
        Assert.All(pointers, pointer => CheckGone(pile, pointer));
    }

    [Fact]
    public void Update_OfObjectThatIsOver_ThrowsAndFreesIt()
    {
        using var pile = CreateWithoutSweeps();
        var pointers = Enumerable.Range(0, 4).Select(_ => pile.Put(new byte[100], OneMinute)).ToArray();
        _time.Advance(Minute);
        Assert.Throws<InvalidPilePointerException>(() => pile.Put(pointers[0], new byte[10]));
        Assert.Throws<InvalidPilePointerException>(() => pile.Put(pointers[1], new byte[10_000], OneMinute));
        Assert.Throws<InvalidPilePointerException>(() => pile.Put(pointers[2], "text"));
        Assert.False(pile.Delete(pointers[3]));
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }

    [Theory]
    [InlineData(100, 100)]
    [InlineData(100, 3000)]
    [InlineData(300_000, 20)]
    public void Update_WithTimeToLive_ReplacesTheOneBefore(int size, int nextSize)
    {
        using var pile = Create();
        var shorter = pile.Put(new byte[size], OneMinute);
        var longer = pile.Put(new byte[size], OneMinute);
        var endless = pile.Put(new byte[size], OneMinute);
        var bounded = pile.Put(new byte[size]);
        pile.Put(shorter, Piles.Payload(1, nextSize), new PutHints { TimeToLive = Minute / 2 });
        pile.Put(longer, Piles.Payload(2, nextSize), new PutHints { TimeToLive = 2 * Minute });
        pile.Put(endless, Piles.Payload(3, nextSize), new PutHints { TimeToLive = Timeout.InfiniteTimeSpan });
        pile.Put(bounded, Piles.Payload(4, nextSize), new PutHints { TimeToLive = Minute });

        _time.Advance(Minute / 2 - Tick);
        Assert.Equal(nextSize, pile.SizeOf(shorter));
        _time.Advance(Tick);
        CheckGone(pile, shorter);
        _time.Advance(Minute / 2 - Tick);
        Assert.True(Piles.IsPayload(pile.GetBytes(bounded), 4));
        _time.Advance(Tick);
        CheckGone(pile, bounded);
        _time.Advance(Minute - Tick);
        Assert.True(Piles.IsPayload(pile.GetBytes(longer), 2));
        _time.Advance(Tick);
        CheckGone(pile, longer);
        _time.Advance(TimeSpan.FromDays(500));
        Assert.True(Piles.IsPayload(pile.GetBytes(endless), 3));
        Assert.Equal(1, pile.GetStatistics().Objects);
        Assert.True(pile.Delete(endless));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Update_WithRoomOnly_KeepsTheTimeToLive()
    {
        using var pile = CreateWithoutSweeps();
        var pointer = pile.Put(new byte[10], OneMinute);
        pile.Put(pointer, new byte[10], new PutHints { RoomBytes = 5000 });
        _time.Advance(Minute);
        CheckGone(pile, pointer);
    }

    [Fact]
    public void Put_WhenFull_TakesTheMemoryOfWhatIsOver()
    {
        using var pile = CreateWithoutSweeps(8 * Piles.MiB);
        var stays = pile.Put(Piles.Payload(9, 1000));
        var first = Piles.FillUp(pile, 1000, OneMinute);
        Assert.Throws<PileFullException>(() => pile.Put(stays, new byte[50_000]));
        _time.Advance(Minute);
        var before = pile.GetStatistics();
        Assert.Equal(first.Count + 1, before.Objects);

        pile.Put(stays, Piles.Payload(8, 50_000));
        Assert.Equal(1, pile.GetStatistics().Objects);
        var second = Piles.FillUp(pile, 1000, OneMinute);
        Assert.InRange(second.Count, first.Count - 150, first.Count);
        _time.Advance(Minute);
        Assert.InRange(pile.SizeOf(pile.Put(new byte[6 * Piles.MiB])), 1, int.MaxValue);
        Assert.True(Piles.IsPayload(pile.GetBytes(stays), 8));
        Assert.All(first.Concat(second), pointer => Assert.False(pile.Delete(pointer)));
        PileChecks.CountersAgree(pile);
    }

    [Fact]
    public void CompactAndBuffers_TakeTheMemoryOfWhatIsOver()
    {
        using var pile = CreateWithoutSweeps(8 * Piles.MiB);
        pile.Put(new byte[1000], OneMinute);
        _time.Advance(Minute);
        pile.Compact();
        Piles.CheckEmpty(pile);

        Piles.FillUp(pile, 1000, OneMinute);
        Assert.Throws<PileFullException>(() => new SafeArray<byte>((int)(4 * Piles.MiB), pile: pile));
        _time.Advance(Minute);
        using var buffer = new SafeArray<byte>((int)(4 * Piles.MiB), pile: pile);
        Piles.CheckEmpty(pile);
    }

    [Fact]
    public void Sweep_OfManyBlocks_GoesOnAfterARest()
    {
        using var pile = Create(64 * Piles.MiB);
        var stays = new List<PilePointer>();
        var blocks = ExpirySchedule.BlocksPerPortion * 2;
        for (long bytes = 0; bytes < blocks * 65_536L; bytes += 2016)
        {
            pile.Put(new byte[2000], OneMinute);
            if (bytes % (100 * 2016) == 0)
                stays.Add(pile.Put(Piles.Payload((ulong)stays.Count, 2008)));
        }

        var before = pile.GetStatistics().Objects;
        _time.Advance(Minute);
        var between = pile.GetStatistics().Objects;
        Assert.InRange(between, stays.Count + 1, before - 1);
        Assert.Equal(TimeSpan.FromMilliseconds(10), _time.UntilNextTimer);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        Assert.Equal(stays.Count, pile.GetStatistics().Objects);
        Assert.Null(_time.UntilNextTimer);
        for (var i = 0; i < stays.Count; i++)
            Assert.True(Piles.IsPayload(pile.GetBytes(stays[i]), (ulong)i) && pile.Delete(stays[i]));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Sweeps_OfManyTimesToLive_KeepTheLag()
    {
        using var pile = Create();
        var random = new Random(5);
        var objects = new List<(PilePointer Pointer, TimeSpan End, int Size)>();
        for (var i = 0; i < 4000; i++)
        {
            var size = (int)Math.Pow(20_000, random.NextDouble());
            var life = TimeSpan.FromSeconds(0.1 + (random.NextDouble() * 60));
            var pointer = pile.Put(Piles.Payload((ulong)i, size), new PutHints { TimeToLive = life });
            objects.Add((pointer, _time.Elapsed + life, size));
            if (i % 10 == 0)
                _time.Advance(TimeSpan.FromMilliseconds(random.Next(50)));
            if (i % 100 == 0)
                Check();
        }

        while (_time.UntilNextTimer is { } next)
        {
            _time.Advance(next);
            Check();
        }

        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
        Assert.InRange(_time.Elapsed, TimeSpan.Zero, objects.Max(entry => entry.End) + Lag);

        void Check()
        {
            var now = _time.Elapsed;
            var rounding = PutHints.MinTimeToLive;
            Assert.All(objects, entry => Assert.True(now < entry.End || !pile.IsLive(entry.Pointer)));
            Assert.All(objects, entry => Assert.True(now >= entry.End - rounding || pile.IsLive(entry.Pointer)));
            var statistics = pile.GetStatistics();
            var lagging = objects.Where(entry => now < entry.End + Lag).ToList();
            Assert.InRange(statistics.Objects, 0, lagging.Count);
            Assert.InRange(statistics.LiveBytes, 0, lagging.Sum(entry => (long)entry.Size));
        }
    }

    [Fact]
    public void ReadsOfAllSorts_OfWhatIsOver_MissIt()
    {
        using var pile = CreateWithoutSweeps();
        PilePointer[] pointers = [pile.Put([1, 2, 3], OneMinute), pile.Put([4, 5, 6])];
        var lengths = new int[2];
        Assert.True(pile.TryGetMany(pointers, new byte[6], lengths, out _));
        Assert.Equal(2, CountOf(pile));
        _time.Advance(Minute);
        Assert.False(pile.TryGetMany(pointers, new byte[6], lengths, out _));
        Assert.Equal([-1, 3], lengths);
        Assert.Equal(1, CountOf(pile));

        static int CountOf(LocalPile pile)
        {
            var count = 0;
            foreach (var _ in pile.Enumerate())
                count++;
            return count;
        }
    }

    [Fact]
    public void Purge_ForgetsDeadlines()
    {
        using var pile = Create();
        Piles.FillUp(pile, 5000, OneMinute);
        pile.Purge();
        var pointers = Enumerable.Range(0, 1000).Select(i => pile.Put(Piles.Payload((ulong)i, 5008))).ToArray();
        _time.Advance(2 * Minute);
        Assert.All(pointers, pointer => Assert.True(pile.Delete(pointer)));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Dispose_WithDeadlinesAhead_LeavesNoTimer()
    {
        var pile = Create();
        pile.Put(new byte[10], OneMinute);
        Assert.Equal(1, _time.ArmedTimerCount);
        pile.Dispose();
        Assert.Equal(0, _time.ArmedTimerCount);
        Assert.Throws<ObjectDisposedException>(() => pile.Put(new byte[10], OneMinute));
        Assert.Equal(0, _time.ArmedTimerCount);
    }

    [Fact]
    public void PileWithoutTimesToLive_SetsNoTimer()
    {
        using var pile = Create();
        pile.Delete(pile.Put(new byte[10]));
        pile.Put(pile.Put(new byte[10]), new byte[300_000]);
        Assert.Equal(0, _time.ArmedTimerCount);
    }

    private static void CheckGone(LocalPile pile, PilePointer pointer)
    {
        Assert.False(pile.IsLive(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.Read(pointer, new byte[4_000_000]));
        Assert.Throws<InvalidPilePointerException>(() => pile.GetBytes(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.GetString(pointer));
        Assert.Throws<InvalidPilePointerException>(() => pile.Get<object>(pointer));
    }

    private LocalPile Create(long budgetBytes = 64 * Piles.MiB) =>
        new(new PileOptions { BudgetBytes = budgetBytes, TimeProvider = _time });

    private LocalPile CreateWithoutSweeps(long budgetBytes = 64 * Piles.MiB) =>
        new(new PileOptions { BudgetBytes = budgetBytes, TimeProvider = new TimerlessTimeProvider(_time) });
}
