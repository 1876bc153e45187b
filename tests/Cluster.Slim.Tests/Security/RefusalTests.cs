namespace Cluster.Slim.Tests.Security;

/// <summary>What is refused, on write and on read, with path and remedy, the same on each attempt.</summary>
[Trait("Case", "slim-J")]
public sealed class RefusalTests
{
    private const string StrangerLine = ".Allow<Cluster.Slim.Tests.Security.RefusalTests.Stranger>()";

    private readonly SlimSerializer _slim = new();
    private readonly SlimSerializer _trusted = new(new SlimOptions { Profile = SlimProfile.Trusted });

    [Fact]
    public void Handles_AndWorkInProgress_AreRefused()
    {
        using MemoryStream stream = new();
        using CancellationTokenSource source = new();
        object[] refused =
        [
            stream, source, Task.CompletedTask, Thread.CurrentThread, new Action(() => { }), typeof(int).Assembly,
            new WeakReference(this), new Random(1), (nint)5,
        ];
        foreach (var value in refused)
        {
            for (var attempt = 0; attempt < 2; attempt++)
            {
                var error =
                    Assert.ThrowsAny<SlimException>(() => _slim.Serialize(new Holder { Value = value }));
                Assert.IsType<SlimTypeNotSupportedException>(error);
                Assert.StartsWith("Holder.Value: ", error.Message, StringComparison.Ordinal);
                Assert.IsType<SlimTypeNotSupportedException>(Record.Exception(() => _trusted.Serialize<object>(value)));
            }
        }
    }

    [Fact]
    public void Refusal_NamesThePathThroughListsAndProperties()
    {
        using MemoryStream stream = new();
        Order order = new() { Lines = { new Line(), new Line(), new Line { Source = stream } } };
        var error =
            Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(order));
        Assert.Equal("Order.Lines[2].Source", error.MemberPath);
        Assert.Contains("operating-system handle", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Null_InAMemberOfARefusedType_Passes()
    {
        var back = _slim.DeepClone(new WithRefused { Kept = 3 });
        Assert.Equal(3, back.Kept);
        Assert.Null(back.Stream);
        Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(new WithRefused { Address = 5 }));
    }

    [Fact]
    public void NotAllowed_NamesTheLineOfCode_OnWriteAndOnRead()
    {
        Holder holder = new() { Value = new Stranger() };
        var write =
            Assert.Throws<SlimTypeNotAllowedException>(() => _slim.Serialize(holder));
        Assert.Contains(StrangerLine, write.Message, StringComparison.Ordinal);
        Assert.Equal("Holder.Value", write.MemberPath);

        var message = new SlimSerializer(new SlimOptions().Allow<Stranger>()).Serialize(holder);
        var read =
            Assert.Throws<SlimTypeNotAllowedException>(() => _slim.Deserialize<Holder>(message));
        Assert.Contains(StrangerLine, read.Message, StringComparison.Ordinal);
        Assert.Equal("Holder.Value", read.MemberPath);
    }

    [Fact]
    public void Allowing_ByTypeAssemblyOrPredicate_LetsTheTypeThrough()
    {
        Holder holder = new() { Value = new Stranger() };
        Assert.IsType<Stranger>(new SlimSerializer(new SlimOptions().Allow<Stranger>()).DeepClone(holder).Value);
        Assert.IsType<Stranger>(new SlimSerializer(new SlimOptions().AllowAssemblyOf<Line>()).DeepClone(holder).Value);
        Assert.IsType<Stranger>(new SlimSerializer(
            new SlimOptions().AllowWhere(t => t.Name == nameof(Stranger))).DeepClone(holder).Value);
        Assert.Throws<ArgumentException>(() => new SlimOptions().AllowAssemblyOf<string>());
    }

    [Fact]
    public void AllowSet_OfOneRoot_DoesNotLeakIntoAnother()
    {
        _slim.DeepClone(new Stranger());
        Assert.Throws<SlimTypeNotAllowedException>(() => _slim.Serialize(new Holder { Value = new Stranger() }));
    }

    [Fact]
    public void Callbacks_AndISerializable_AreRefusedClearly()
    {
        Assert.Contains("callbacks", Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(new WithCallback())).Message, StringComparison.Ordinal);
        Assert.Contains("derives from", Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(new OwnRandom())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void FailedWrite_LeavesNothingInTheOutput()
    {
        using MemoryStream stream = new();
        ArrayBufferWriter<byte> output = new();
        var error = Assert.ThrowsAny<SlimException>(
            () => _slim.Serialize(output, new Holder { Value = new object[] { new byte[60_000], stream } }));
        Assert.Equal(0, output.WrittenCount);
        Assert.Equal(0, error.BytesAdvanced);

        error = Assert.ThrowsAny<SlimException>(
            () => _slim.Serialize(output, new Holder { Value = new object[] { new byte[600_000], stream } }));
        Assert.Equal(output.WrittenCount, error.BytesAdvanced);
    }

    [Fact]
    public void DifferentLayout_IsALayoutException()
    {
        var message = _slim.Serialize(new Line());
        var position = message.AsSpan().IndexOf("Source"u8);
        message[position] = (byte)'Z';
        message[4] ^= 1;
        SlimSerializer strict = new(new SlimOptions { Versioning = SlimVersioning.Strict });
        var error = Assert.Throws<SlimLayoutException>(() => strict.Deserialize<Line>(message));
        Assert.Contains("Zource", error.Message, StringComparison.Ordinal);

        SlimSerializer known = new(new SlimOptions { Schema = SlimSchema.Known });
        var compact = known.Serialize(new Line());
        Assert.True(compact.Length < 20);
        Assert.NotNull(_slim.Deserialize<Line>(compact));
        compact[5] ^= 1;
        Assert.Throws<SlimLayoutException>(() => _slim.Deserialize<Line>(compact));
    }

    private sealed class Holder
    {
        public object? Value;
    }

    private sealed class Order
    {
        public List<Line> Lines { get; } = [];
    }

    private sealed class Line
    {
        public object? Source { get; init; }
    }

    private sealed class Stranger;

    private sealed class WithRefused
    {
        public int Kept;
        public Stream? Stream { get; init; }
        public nint Address;
    }

    private sealed class OwnRandom : Random;

    private sealed class WithCallback
    {
        [System.Runtime.Serialization.OnDeserialized]
        private void Done(System.Runtime.Serialization.StreamingContext context) => _ = context;
    }
}
