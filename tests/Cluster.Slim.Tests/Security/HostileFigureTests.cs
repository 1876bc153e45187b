using Cluster.Slim.Tests.Fuzzing;

namespace Cluster.Slim.Tests.Security;

/// <summary>What it costs to refuse hostile messages: the figures M3 of the design.</summary>
[Trait("Case", "experience-M3")]
public sealed class HostileFigureTests
{
    private const int Rounds = 10;
    private const int MillionKeys = 1_000_000;

    // A key of eight bytes and a value of one.
    private const int EntryBytes = 9;
    private const long AllocatedMax = 1 << 20;
    private const byte HasBody = 4;
    private const byte Fields = 14;
    private static readonly TimeSpan RefusedWithin = TimeSpan.FromMilliseconds(10);

    private readonly SlimSerializer _slim = new(new SlimOptions().Allow<List<object>>());

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(uint.MaxValue)]
    public void Count_OfBillions_IsRefusedQuicklyWithLittleMemory(uint count)
    {
        CheckRefused<int[]>(Forge.After(_slim.Serialize(Array.Empty<int>()), 1).Number(count));
        CheckRefused<object[]>(Forge.After(_slim.Serialize(Array.Empty<object>()), 1).Number(count));
        CheckRefused<List<object>>(Forge.After(_slim.Serialize(new List<object>()), 1).Number(count));
        CheckRefused<string>(Forge.After(_slim.Serialize(""), 1).Number(count));
        CheckRefused<Dictionary<int, int>>(Forge.After(_slim.Serialize(new Dictionary<int, int>()), 1).Number(count));
    }

    [Theory]
    [InlineData(1_000u)]
    [InlineData(uint.MaxValue)]
    public void Reference_ToNothing_IsRefusedQuicklyWithLittleMemory(uint head) =>
        CheckRefused<object?[]>(Forge.After(_slim.Serialize(new object?[1]), 1).Number(head));

    [Theory]
    [InlineData("System.Diagnostics.Process")]
    [InlineData("System.Collections.Generic.List`1[System.Diagnostics.Process]")]
    [InlineData("System.Collections.Generic.List`1[System.Collections.Generic.List`1[System.IO.FileStream]]")]
    public void ForbiddenType_AlsoInAnAllowedForm_IsRefusedQuicklyWithLittleMemory(string name) =>
        CheckRefused<object>(Forge.Message().Described(new Forge().Name(name).Bytes(HasBody, 0, 0, 0, 1, Fields)));

    /// <summary>To fill the dictionary would take 10^12 comparisons, so that the test would not end.</summary>
    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public void MillionCollidingKeys_AreRefusedBeforeTheirCollectionIsFilled()
    {
        var head = Forge.After(_slim.Serialize(new Dictionary<long, byte>()), 1).Number(MillionKeys).Done();
        var message = new byte[head.Length + (MillionKeys * EntryBytes)];
        head.CopyTo(message, 0);
        for (var key = 0; key < MillionKeys; key++)
            BitConverter.TryWriteBytes(message.AsSpan(head.Length + (key * EntryBytes)), key * 0x1_0000_0001L);
        var error = Assert.Throws<SlimLimitException>(() => _slim.Deserialize<Dictionary<long, byte>>(message));
        Assert.Equal(nameof(SlimLimits.MaxKeyWorkPerByte), error.LimitName);
    }

    // The first rounds compile code. The shortest one counts, because others may use the processor.
    private void CheckRefused<T>(Forge forge)
    {
        var message = forge.Done();
        var (shortest, least) = (TimeSpan.MaxValue, long.MaxValue);
        for (var round = 0; round < Rounds; round++)
        {
            var (began, before) = (Stopwatch.GetTimestamp(), GC.GetAllocatedBytesForCurrentThread());
            Assert.IsAssignableFrom<SlimException>(Record.Exception(() => _slim.Deserialize<T>(message)));
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            var elapsed = Stopwatch.GetElapsedTime(began);
            shortest = elapsed < shortest ? elapsed : shortest;
        }

        Assert.InRange(shortest, TimeSpan.Zero, RefusedWithin);
        Assert.InRange(least, 0, AllocatedMax);
    }
}
