using Cluster.Slim.Graph;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Messages that once were not refused properly, with the bytes that showed it.</summary>
[Trait("Case", "slim-M")]
public sealed class FuzzFindingTests
{
    /// <summary>The runtime multiplies the dimensions before it comes to the one that is zero.</summary>
    [Fact]
    public void ArrayDimensions_ThatOverflowBeforeAZero_AreRefused()
    {
        var message = new SlimSerializer().Serialize(new string?[1, 2, 0]);
        byte[] huge = [0xFF, 0xFF, 0xFF, 0xFF, 0x07];
        byte[] body = [0, 0, 0, 0, .. huge, 0, 0, 0, 0, .. huge, 0, 0, 0, 0, 0];
        CheckRefused<string?[,,]>([.. message[..^15], .. body]);
    }

    /// <summary>The member path was found in the catch block, whose code runs on top of the stack of the failed read:
    /// twice the deepest nesting did not fit into a small stack, and the process died.</summary>
    [Fact]
    public void NestedImmutables_RefusedAtTheDeepest_FitOnASmallStack()
    {
        foreach (var hostile in HostileCases.All)
        {
            SlimException? error = null;
            Thread thread = new(
                () => error = Record.Exception(() => hostile.NewReader()(hostile.Message)) as SlimException,
                FuzzWorker.StackBytes);
            thread.Start();
            thread.Join();
            Assert.NotNull(error);
        }
    }

    /// <summary>The runtime refuses more elements than an array can have, before it comes to the zero.</summary>
    [Fact]
    public void ArrayDimensions_OverTheLongestArray_BeforeAZero_AreRefused() => CheckRefused<byte[,]>(
        Convert.FromHexString(
            "B100020049C2698680775FD9180E53797374656D2E427974655B2C5D04000001070201080400000000FFFFFFFF07"
            + "0000830000FFFFFFFF07"));

    /// <summary>The runtime refuses a dimension longer than any array, even behind one that is zero.</summary>
    [Fact]
    public void ArrayDimension_LongerThanAnyArray_BehindAZero_IsRefused() => CheckRefused<byte[,]>(
        Convert.FromHexString(
            "B100020049C2698680775FD9180E53797374656D2E427974655B2C5D040000010702010804"
            + "000000000000000000FFFFFFFF07"));

    /// <summary>Nullable types stand on lists as elements and fields, but no object is of one.</summary>
    [Fact]
    [Trait("Case", "experience-M2")]
    public void Object_OfANullableType_IsRefused()
    {
        var described = Forge.Message()
            .Described(new Forge().Name("System.Nullable`1[System.Int32]").Bytes(1, 0, 0, 0, 1, 2, 9))
            .Bytes(1, 0, 0, 0).Done();
        SlimSerializer slim = new(new SlimOptions().Allow<int?[]>());
        Assert.NotNull(Assert.ThrowsAny<SlimException>(() => slim.Deserialize<object>(described)).Site);
    }

    /// <summary>A serializable object may name the type that it becomes; text was taken for one.</summary>
    [Fact]
    public void SerializableObject_ThatBecomesText_IsRefused()
    {
        SlimSerializer slim = new(new SlimOptions().AllowCallbacks<FuzzCallbacks.Serial>());
        var message = slim.Serialize(new FuzzCallbacks.Serial());
        var refused = 0;
        for (var i = message.Length - 40; i < message.Length - 1; i++)
        {
            // The mark of another type, and the code of text, wherever they may stand.
            byte[] forged = [.. message.AsSpan(0, i), (byte)ReplacementFlags.OtherType, 2, .. message.AsSpan(i + 1)];
            var error = Record.Exception(() => slim.Deserialize<object>(forged)) as SlimException;
            Assert.True(error is null or { Site: not null }, $"{error}");
            refused += error is SlimTypeNotSupportedException ? 1 : 0;
        }

        Assert.NotEqual(0, refused);
    }

    private static void CheckRefused<T>(byte[] message)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var error = Assert.ThrowsAny<SlimException>(() => new SlimSerializer().Deserialize<T>(message));
        Assert.True(error.Site is not null, $"no rule refused it: {error}");
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 8 * 1024 * 1024);
    }
}
