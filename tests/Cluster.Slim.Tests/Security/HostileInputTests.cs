namespace Cluster.Slim.Tests.Security;

/// <summary>Damaged and hostile bytes get one exception family, little memory and little time.</summary>
[Trait("Case", "slim-M")]
public sealed class HostileInputTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void EveryTruncation_IsRefused()
    {
        var message = _slim.Serialize(Corpus.Graph());
        for (var length = 0; length < message.Length; length++)
            Assert.ThrowsAny<SlimException>(() => _slim.Deserialize<Corpus.Root>(message.AsSpan(0, length)));
    }

    [Fact]
    public void TrailingBytes_AreRefused()
    {
        byte[] message = [.. _slim.Serialize(5), 0];
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<int>(message));
    }

    [Fact]
    public void HugeCounts_AllocateLittle()
    {
        var message = _slim.Serialize(new int[] { 1, 2 });
        var count = Array.IndexOf(message, (byte)2, 4);
        byte[] forged = [.. message[..count], 0xFF, 0xFF, 0xFF, 0xFF, 0x07, .. message[(count + 1)..]];
        var before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<int[]>(forged));
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 200_000);
    }

    [Fact]
    public void GraphBudget_IsChargedBeforeAllocation()
    {
        SlimSerializer small = new(new SlimOptions { Limits = { MaxGraphBytes = 10_000 } });
        var message = new SlimSerializer().Serialize(new Corpus.Empty[9_990]);
        var error = Assert.Throws<SlimLimitException>(() => small.Deserialize<Corpus.Empty[]>(message));
        Assert.Equal(nameof(SlimLimits.MaxGraphBytes), error.LimitName);
    }

    [Fact]
    public void Limits_OnWrite_AreKept()
    {
        SlimSerializer small = new(new SlimOptions { Limits = { MaxMessageBytes = 1000, MaxStringLength = 10 } });
        Assert.Equal(nameof(SlimLimits.MaxMessageBytes), Assert.Throws<SlimLimitException>(
            () => small.Serialize(new byte[2000])).LimitName);
        Assert.Equal(nameof(SlimLimits.MaxStringLength), Assert.Throws<SlimLimitException>(
            () => small.Serialize("longer than ten")).LimitName);
        Assert.Equal(nameof(SlimLimits.MaxMessageBytes), Assert.Throws<SlimLimitException>(
            () => small.Deserialize<int>(new byte[2000])).LimitName);
    }

    [Fact]
    public void ManyEqualHashes_AreRefusedBeforeFilling()
    {
        SlimSerializer slim = new();
        var message = slim.Serialize(Enumerable.Range(0, 20_000).ToDictionary(i => i, _ => 0));
        var capacity = new Dictionary<int, int>(20_000).EnsureCapacity(0);

        // Keys that all fall into one bucket of the dictionary that will hold them.
        var start = message.Length - (20_000 * 8);
        for (var i = 0; i < 20_000; i++)
            BinaryPrimitives.WriteInt32LittleEndian(message.AsSpan(start + (i * 8)), i * capacity);
        Assert.Equal(nameof(SlimLimits.MaxKeyWorkPerByte), Assert.Throws<SlimLimitException>(
            () => slim.Deserialize<Dictionary<int, int>>(message)).LimitName);
    }

    [Fact]
    public void RecordKey_ThatContainsItself_IsRefusedInsteadOfOverflowing()
    {
        Corpus.SelfKey key = new();
        Dictionary<Corpus.SelfKey, int> map = new(ReferenceEqualityComparer.Instance) { [key] = 1 };
        key.Self = key;
        var message = _slim.Serialize(map);
        message[HeadOfComparer(message)] = 0;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Dictionary<Corpus.SelfKey, int>>(message));
    }

    [Fact]
    public void UserHash_ThatThrows_IsWrapped()
    {
        var message = _slim.Serialize(new Dictionary<Corpus.Moody, int> { [new Corpus.Moody()] = 1 });
        Corpus.Moody.Throws = true;
        try
        {
            var error = Assert.Throws<SlimMalformedException>(
                () => _slim.Deserialize<Dictionary<Corpus.Moody, int>>(message));
            Assert.IsType<InvalidOperationException>(error.InnerException);
        }
        finally
        {
            Corpus.Moody.Throws = false;
        }
    }

    [Fact]
    public void InvalidValues_OfValidatedTypes_AreRefused()
    {
        CheckRefused(true, static m => m[^1] = 2);
        CheckRefused(1.5m, static m => m[^14] = 29);
        CheckRefused(1.5m, static m => m[^16] = 1);
        CheckRefused(DateTime.MaxValue, static m => m.AsSpan(m.Length - 7).Fill(0xFF));
        CheckRefused(TimeOnly.MaxValue, static m => m[^1] = 0x7F);
        CheckRefused(DateOnly.MaxValue, static m => m[^1] = 0x7F);
        CheckRefused(new System.Text.Rune('a'), static m => m[^3] = 0xD8);
        CheckRefused(DateTimeOffset.MaxValue, static m => m[^1] = 0x7F);
    }

    [Fact]
    public void WrongVersionAndFlags_AreRefused()
    {
        var message = _slim.Serialize(1);
        message[0] ^= 1;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<int>(message));
        message[0] ^= 1;
        message[1] = 0x80;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<int>(message));
        message[1] = 2;
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<int>(message));
    }

    [Fact]
    [Trait("Case", "slim-E")]
    public void DeeplyNestedLists_AreReadOnASmallStack()
    {
        List<object> outer = [];
        for (var i = 0; i < 100_000; i++)
            outer = [outer];
        Exception? failure = null;
        Thread thread = new(() => failure = Record.Exception(() => _slim.DeepClone(outer)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    [Fact]
    public void DeeplyNestedImmutables_AreRefused()
    {
        System.Collections.Immutable.ImmutableList<object> list = [];
        for (var i = 0; i < 500; i++)
            list = [list];
        SlimSerializer slim = new(new SlimOptions().Allow(list.GetType()));
        Assert.Equal("Nesting", Assert.Throws<SlimLimitException>(() => slim.Serialize(list)).LimitName);
    }

    // The comparer by reference has code 5 and stands before the null of an own one and the count of one entry.
    private static int HeadOfComparer(byte[] message) => message.AsSpan().LastIndexOf(new byte[] { 5, 0, 1 });

    private void CheckRefused<T>(T value, Action<byte[]> damage)
    {
        var message = _slim.Serialize(value);
        damage(message);
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<T>(message));
    }
}
