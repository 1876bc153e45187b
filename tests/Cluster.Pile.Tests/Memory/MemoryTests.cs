using Cluster.Pile.Memory;

namespace Cluster.Pile.Tests.Memory;

/// <summary>Options, and the limits of the system that they are checked against.</summary>
public sealed class MemoryTests
{
    [Fact]
    public void Range_OfMoreThanTheSystemGives_IsRefusedWithAMessage()
    {
        var refused = Assert.Throws<InsufficientMemoryException>(
            () => NativeRangePool.Rent(NativeMemorySource.ForThisSystem, 1L << 60));
        Assert.Contains(nameof(PileOptions.BudgetBytes), refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_WithSeveralProblems_NameAllOfThem()
    {
        var options = new PileOptions { BudgetBytes = 1000, ReserveBytes = -1, TimeProvider = null!, Name = " " };
        var refused = Assert.Throws<ArgumentException>(() => new LocalPile(options));
        Assert.Contains(nameof(PileOptions.BudgetBytes), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PileOptions.ReserveBytes), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PileOptions.Name), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PileOptions.TimeProvider), refused.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => new LocalPile(null!));
    }

    [Theory]
    [InlineData("0::/system.slice/a.service", "/system.slice/a.service")]
    [InlineData("0::/", "/")]
    [InlineData("5:memory:/docker/1", "/memory/docker/1")]
    [InlineData("6:cpu,memory:/x", "/memory/x")]
    [InlineData("7:cpu:/x", null)]
    [InlineData("nonsense", null)]
    public void GroupPath_OfALine_IsFound(string line, string? path) =>
        Assert.Equal(path, MemoryLimits.GroupPath(line));

    [Theory]
    [InlineData("1073741824\n", 1073741824L)]
    [InlineData("max\n", null)]
    [InlineData("9223372036854771712\n", null)]
    [InlineData("", null)]
    public void Limit_OfAFile_IsParsed(string text, long? bytes) => Assert.Equal(bytes, MemoryLimits.Parse(text));

    [Fact]
    public void Limit_Smallest_AllowsThisTestRun()
    {
        if (MemoryLimits.OfThisProcess.Smallest() is { } limit)
            Assert.True(limit.Bytes > Piles.MiB && limit.Name.Length > 0);
    }
}
