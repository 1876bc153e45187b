using Cluster.Pile.Layout;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Slots;

/// <summary>Tries pointers that name nothing, as cases 2 to 4 of the pile ask, in piles whose payloads describe
/// themselves or imitate the headers and pointers of the pile. Owned by one test.</summary>
internal sealed class PointerTrials(long budgetBytes, bool imitate, int seed) : IDisposable
{
    // Every operation throws, which costs microseconds; so one of these many is tried by all, the others by a read.
    private const int SampleEvery = 5000;
    private const int ForgeriesPerTurn = 5;

    private static readonly int[] ClassSizes = [8, 64, 500, 16, 40, 3000, 24, 70_000, 9000, 300_000, 8, 120];

    private readonly byte[] _buffer = new byte[400_000];
    private readonly List<PilePointer> _stale = [];
    private readonly bool _imitate = imitate;
    private readonly Random _random = new Random(seed);
    private PilePointer[] _models = [];

    public LocalPile Pile { get; } = Piles.Create(budgetBytes);

    /// <summary>How many pointers were tried.</summary>
    public long Tried { get; private set; }

    /// <summary>How many were taken though they name nothing.</summary>
    public long Accepted { get; private set; }

    public void Dispose() => Pile.Dispose();

    public override string ToString() => $"{Tried:N0} pointers tried, {Accepted:N0} accepted; {_stale.Count:N0} kept";

    /// <summary>Objects of one size come and go; all pointers of all rounds stay refused.</summary>
    public void RunRounds(int rounds, int objects, bool compacts)
    {
        for (var round = 0; round < rounds; round++)
        {
            var live = PutMany(objects, 64);
            TryAll(_stale);
            DeleteAll(live, kept: objects);
            if (compacts)
                Pile.Compact();
        }

        TryAll(_stale);
    }

    /// <summary>Objects of one size after the other take all memory, so that slabs change their class.</summary>
    public void RunClasses(int kept, long liveBytes, bool compacts)
    {
        foreach (var size in ClassSizes)
        {
            var live = PutMany((int)(liveBytes / (size + 24)), size);
            TryAll(_stale);
            DeleteAll(live, kept);
            if (compacts)
                Pile.Compact();
        }

        TryAll(_stale);
    }

    /// <summary>Random bits, flipped bits, neighbours, another pile's pointers, and places within payloads.</summary>
    public void RunForgeries(int count, int objects)
    {
        using var other = Piles.Create(Pile.GetStatistics().BudgetBytes);
        var live = PutMany(objects, 300);
        var foreign = live.Select(pointer => other.Put(new byte[Pile.SizeOf(pointer)])).ToArray();
        var known = live.ToHashSet();
        for (var turn = 0; turn < count / ForgeriesPerTurn; turn++)
        {
            var pointer = live[turn % objects];
            var value = pointer.ToUInt64();
            var inside = pointer.Granule + _random.Next(1, 39);
            TryForged((ulong)_random.NextInt64(long.MinValue, long.MaxValue), known);
            TryForged(value ^ (1UL << _random.Next(64)), known);
            TryForged(value + (ulong)(_random.Next(2) * 2) - 1, known);
            TryForged(foreign[turn % objects].ToUInt64(), known);
            TryForged(new PilePointer(live[_random.Next(objects)].Generation, inside).ToUInt64(), known);
        }

        Assert.All(live, pointer => Assert.True(Pile.TryRead(pointer, _buffer, out _)));
    }

    /// <summary>The trials are over; none but a given number were taken, and the pile is as it should be.</summary>
    public void CheckAccepted(int most, ITestOutputHelper output)
    {
        output.WriteLine(ToString());
        Assert.InRange(Accepted, 0, most);
        PileChecks.CountersAgree(Pile);
    }

    private PilePointer[] PutMany(int count, int size)
    {
        var live = new PilePointer[count];
        for (var i = 0; i < count; i++)
        {
            var payload = _buffer.AsSpan(0, size);
            if (_imitate)
                Imitate(payload);
            else
                Piles.Fill(payload, (ulong)i);
            live[i] = Pile.Put(payload);
            if (i % 1000 == 0)
                _models = [.. live.Take(i + 1).TakeLast(50), .. _stale.TakeLast(50)];
        }

        return live;
    }

    // Headers as they are, headers as stale pointers would want them, and pointers.
    private void Imitate(Span<byte> payload)
    {
        foreach (ref var word in MemoryMarshal.Cast<byte, ulong>(payload))
        {
            var model = _models.Length == 0 ? default : _models[_random.Next(_models.Length)];
            word = _random.Next(4) switch
            {
                0 => Pile.Window.ReadWord(Pile.Layout.OriginOffset + (model.Granule * PilePointer.GranuleBytes)),
                1 => model.ToUInt64(),
                _ => new SlotHeader(model.Generation, 0, _random.Next(9), PayloadKind.Bytes, SlotState.Live).Word,
            };
        }
    }

    private void DeleteAll(PilePointer[] live, int kept)
    {
        foreach (var pointer in live)
            Assert.True(Pile.Delete(pointer));
        _stale.AddRange(live.Take(kept));
    }

    private void TryAll(List<PilePointer> pointers) => pointers.ForEach(Try);

    private void TryForged(ulong value, HashSet<PilePointer> known)
    {
        var pointer = PilePointer.FromUInt64(value);
        if (!known.Contains(pointer))
            Try(pointer);
    }

    private void Try(PilePointer pointer)
    {
        if (++Tried % SampleEvery == 0 ? !IsRefusedByAll(pointer) : Pile.TryRead(pointer, _buffer, out _))
            Accepted++;
    }

    private bool IsRefusedByAll(PilePointer pointer) =>
        Refuses(() => Pile.SizeOf(pointer)) && Refuses(() => Pile.GetBytes(pointer))
            && Refuses(() => Pile.Get<string>(pointer)) && Refuses(() => Pile.GetString(pointer))
            && Refuses(() => Pile.Put(pointer, "x"u8)) && Refuses(() => Pile.Put(pointer, "x"))
            && Refuses(() => Pile.Read(pointer, _buffer)) && Refuses(() => Pile.GetMany([pointer], _buffer, new int[1]))
            && !Pile.IsLive(pointer) && !Pile.Delete(pointer);

    private static bool Refuses(Action action)
    {
        try
        {
            action();
            return false;
        }
        catch (InvalidPilePointerException)
        {
            return true;
        }
    }
}
