using System.Security.Cryptography;
using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>The budget of buffers without a pile, on the source of this system and on the portable one.</summary>
public sealed class BufferBudgetTests
{
    private const long MiB = Budgets.MiB;

    public static TheoryData<bool> Sources { get; } = [false, true];

    [Theory]
    [MemberData(nameof(Sources))]
    public void Budget_WhenFull_RefusesWithItsNameAndFiguresAndChangesNothing(bool portable)
    {
        var budget = Budgets.Create(64 * MiB, portable);
        var large = new SafeArray<byte>(budget.Heap, (int)(40 * MiB), BufferFill.Zeroed);
        var small = new SafeArray<byte>(budget.Heap, 100, BufferFill.Zeroed);
        var before = budget.GetStatistics();
        Assert.Equal((2, 40 * MiB + 100, 64 * MiB), (before.Buffers, before.LiveBytes, before.CapBytes));
        Assert.InRange(before.TakenBytes, before.LiveBytes, before.LiveBytes + 64 * 1024);

        var full = Assert.Throws<PileFullException>(
            () => new SafeArray<byte>(budget.Heap, (int)(25 * MiB), BufferFill.Zeroed));
        Assert.Contains("\"test\"", full.Message, StringComparison.Ordinal);
        Assert.Contains($"{25 * MiB:N0}", full.Message, StringComparison.Ordinal);
        Assert.Equal((64 * MiB, 25 * MiB), (full.BudgetBytes, full.NeededBytes));
        Assert.Equal(before, budget.GetStatistics());

        large.Dispose();
        using (new SafeArray<byte>(budget.Heap, (int)(25 * MiB), BufferFill.Zeroed))
            Assert.Equal(2, budget.GetStatistics().Buffers);
        small.Dispose();
        Budgets.CheckEmptyAndClose(budget);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Budget_FilledAndEmptiedWithAnySizes_NeverLosesRoom(bool portable)
    {
        var budget = Budgets.Create(64 * MiB, portable);
        var counts = new Dictionary<int, int>();
        for (var round = 0; round < 3; round++)
        {
            foreach (var length in (int[])[1000, 40_000, 300_000, 5_000_000, 20_000_000])
            {
                var buffers = FillUp(budget, length);
                counts.TryAdd(length, buffers.Count);

                // Where the few slabs lie that stay may cost one place.
                Assert.InRange(buffers.Count, counts[length] - 1, counts[length] + 1);
                Assert.All(buffers, buffer => Assert.True(buffer.Free()));
                Assert.InRange(budget.GetStatistics().TakenBytes, 0, 5 * 64 * 1024);
            }
        }

        Assert.InRange(counts[1000], 64 * MiB * 9 / 10 / 1000, 64 * MiB / 1000);
        Assert.InRange(counts[20_000_000], 2, 3);
        Budgets.CheckEmptyAndClose(budget);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Reserve_KeepsSoMuchAndGivesTheRestBack(bool portable)
    {
        var budget = Budgets.Create(256 * MiB, portable);
        Assert.Equal(32 * MiB, budget.ReserveBytes);
        using (var array = new SafeArray<byte>(budget.Heap, (int)(100 * MiB), BufferFill.Zeroed))
            array.AsSpan().Fill(7);
        budget.GiveBack();
        Assert.InRange(budget.GetStatistics().ReservedBytes, 0, 32 * MiB);
        using (var array = new SafeArray<byte>(budget.Heap, (int)(100 * MiB), BufferFill.Uninitialized))
        {
            // The reserve is at the start and holds what was there; what was given back is zero.
            Assert.False(array.AsSpan(0, (int)(32 * MiB)).ContainsAnyExcept((byte)7));
            Assert.False(array.AsSpan((int)(36 * MiB)).ContainsAnyExcept((byte)0));
        }

        budget.ReserveBytes = 0;
        budget.GiveBack();
        Eventually(() => budget.GetStatistics().ReservedBytes == 0);
        Assert.Throws<ArgumentOutOfRangeException>(() => budget.ReserveBytes = -1);
        Budgets.CheckEmptyAndClose(budget);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Reserve_IsWithinTheCap(bool portable)
    {
        var budget = Budgets.Create(64 * MiB, portable);
        budget.ReserveBytes = 64 * MiB;
        new SafeArray<byte>(budget.Heap, (int)(30 * MiB), BufferFill.Zeroed).Dispose();
        Assert.Equal(30 * MiB, budget.GetStatistics().ReservedBytes);
        using (new SafeArray<byte>(budget.Heap, (int)(60 * MiB), BufferFill.Zeroed))
            Assert.InRange(budget.GetStatistics().ReservedBytes, 0, 4 * MiB);
        budget.CapBytes = 8 * MiB;
        Assert.InRange(budget.GetStatistics().ReservedBytes, 0, 8 * MiB);
        Assert.Throws<PileFullException>(() => PileBuffer.Create<byte>(budget.Heap, 9 * MiB, BufferFill.Zeroed));
        Budgets.CheckEmptyAndClose(budget);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Prepare_MakesTheReserveResident(bool portable)
    {
        var budget = Budgets.Create(256 * MiB, portable);
        budget.Prepare(20 * MiB);
        Assert.Equal(20 * MiB, budget.GetStatistics().ReservedBytes);
        budget.Prepare(20 * MiB);
        Assert.Equal(20 * MiB, budget.GetStatistics().ReservedBytes);
        budget.Prepare(long.MaxValue);
        Assert.Equal(32 * MiB, budget.GetStatistics().ReservedBytes);
        Assert.Throws<ArgumentOutOfRangeException>(() => budget.Prepare(-1));
        using (new SafeArray<byte>(budget.Heap, (int)(32 * MiB), BufferFill.Uninitialized))
            Assert.Equal(0, budget.GetStatistics().ReservedBytes);
        Budgets.CheckEmptyAndClose(budget);
    }

    [Fact]
    public void Cap_CanBeRaisedAndLowered()
    {
        var budget = Budgets.Create(32 * MiB);
        var first = PileBuffer.Create<byte>(budget.Heap, 30 * MiB, BufferFill.Zeroed);
        budget.CapBytes = 800 * MiB;
        var second = PileBuffer.Create<byte>(budget.Heap, 600 * MiB, BufferFill.Zeroed);
        budget.CapBytes = 32 * MiB;
        Assert.Throws<PileFullException>(() => PileBuffer.Create<byte>(budget.Heap, 1, BufferFill.Zeroed));
        Assert.True(second.Free());
        Assert.True(first.Free());
        Assert.Throws<ArgumentOutOfRangeException>(() => budget.CapBytes = BufferBudget.MinCapBytes - 1);
        Budgets.CheckEmptyAndClose(budget);
    }

    [Fact]
    public void Process_HasTheDocumentedDefaults()
    {
        var process = BufferBudget.Process;
        var available = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        Assert.InRange(process.CapBytes, BufferBudget.MinCapBytes, available / 4 * 3);
        Assert.Equal(Math.Min(BufferBudget.DefaultReserveBytes, process.CapBytes / 8), process.ReserveBytes);
        Assert.Equal("process-wide buffers", process.Name);
        var before = process.GetStatistics().LiveBytes;
        Assert.True(before >= 0);
    }

    [Fact]
    public void Buffers_OfManySizes_DoNotOverlap()
    {
        var seed = RandomNumberGenerator.GetInt32(int.MaxValue);
        var random = new Random(seed);
        var budget = Budgets.Create(128 * MiB);
        var live = new List<(PileBuffer<byte> Buffer, ulong Seed)>();
        for (var step = 0; step < 4000; step++)
        {
            if (live.Count > 0 && random.Next(2) == 0)
            {
                var at = random.Next(live.Count);
                Assert.True(Pattern.Is(live[at].Buffer.AsSpan(), live[at].Seed), $"seed {seed}, step {step}");
                Assert.True(live[at].Buffer.Free());
                live.RemoveAt(at);
            }
            else if (budget.GetStatistics().TakenBytes < 100 * MiB)
            {
                var length = (long)Math.Exp(random.NextDouble() * Math.Log(step % 500 == 0 ? 20_000_000 : 100_000));
                var fill = (BufferFill)random.Next(2);
                var buffer = PileBuffer.Create<byte>(budget.Heap, length, fill);
                if (fill == BufferFill.Zeroed)
                    Assert.False(buffer.AsSpan().ContainsAnyExcept((byte)0), $"seed {seed}, step {step}");
                Pattern.Fill(buffer.AsSpan(), (ulong)step);
                live.Add((buffer, (ulong)step));
            }
        }

        Assert.All(live, entry => Assert.True(Pattern.Is(entry.Buffer.AsSpan(), entry.Seed), $"seed {seed}"));
        Assert.All(live, entry => Assert.True(entry.Buffer.Free()));
        Budgets.CheckEmptyAndClose(budget);
    }

    private static List<PileBuffer<byte>> FillUp(BufferBudget budget, int length)
    {
        var buffers = new List<PileBuffer<byte>>();
        while (true)
        {
            try
            {
                buffers.Add(PileBuffer.Create<byte>(budget.Heap, length, BufferFill.Uninitialized));
            }
            catch (PileFullException)
            {
                return buffers;
            }
        }
    }

    private static void Eventually(Func<bool> condition) =>
        Assert.True(SpinWait.SpinUntil(condition, TimeSpan.FromSeconds(30)));
}
