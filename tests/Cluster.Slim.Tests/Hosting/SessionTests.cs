using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Sessions, their commit, their numbers and what poisons them.</summary>
[Trait("Case", "slim-K")]
public sealed class SessionTests
{
    private readonly SlimSerializer _slim = new();

    [Theory]
    [InlineData(SlimSchema.Full)]
    [InlineData(SlimSchema.Known)]
    public void Messages_AfterTheFirst_AreSmaller_AndComeBack(SlimSchema schema)
    {
        SlimSerializer slim = new(new SlimOptions { Schema = schema });
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        var first = 0;
        for (var i = 0; i < 5; i++)
        {
            var message = Write(writer, new Item { Number = i, Inner = new Other() });
            writer.Commit();
            Assert.Equal(i, reader.Deserialize<Item>(message).Number);
            first = i == 0 ? message.Length : first;
            Assert.True(i == 0 || message.Length < first);
        }
    }

    [Fact]
    public void TypeAddedLater_IsDescribedThen()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        Item[] items =
        [
            new Item(), new Item { Inner = new Other() }, new Item { Inner = new Third() },
            new Item { Inner = new Other() },
        ];
        foreach (var item in items)
        {
            var message = Write(writer, item);
            writer.Commit();
            Assert.Equal(item.Inner?.GetType(), reader.Deserialize<Item>(message).Inner?.GetType());
        }
    }

    [Fact]
    public void UncommittedMessage_IsForgotten()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        var lost = Write(writer, new Item { Inner = new Other() });
        var sent = Write(writer, new Item { Inner = new Third() });
        writer.Commit();
        Assert.NotEqual(lost, sent);
        Assert.IsType<Third>(reader.Deserialize<Item>(sent).Inner);
        Assert.Throws<InvalidOperationException>(writer.Commit);
    }

    [Fact]
    public void FailedWrite_IsRolledBack_AndTheNextOneIsGood()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        Item refused = new() { Inner = new Other(), Any = new Action(() => { }) };
        Assert.Throws<SlimTypeNotSupportedException>(() => Write(writer, refused));
        Assert.Throws<InvalidOperationException>(writer.Commit);
        var message = Write(writer, new Item { Inner = new Other() });
        writer.Commit();
        Assert.IsType<Other>(reader.Deserialize<Item>(message).Inner);
    }

    [Fact]
    public void DamagedContent_LetsTheSessionGoOn()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        var damaged = Write(writer, new Item { Inner = new Other() });
        writer.Commit();
        Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Item>(damaged.AsSpan(0, damaged.Length - 1)));
        var good = Write(writer, new Item { Number = 3, Inner = new Other() });
        writer.Commit();
        Assert.Equal(3, reader.Deserialize<Item>(good).Number);
    }

    [Fact]
    public void LostDuplicatedOrDamagedHeaders_PoisonTheReader()
    {
        CheckPoison((first, second) => [second]);
        CheckPoison((first, second) => [first, first]);
        CheckPoison((first, second) => [first[..6]]);
        CheckPoison((first, second) => [[0, .. first[1..]]]);
    }

    [Fact]
    public void SessionAndStandaloneMessages_AreNotMixed()
    {
        using var writer = _slim.OpenWriterSession();
        var message = Write(writer, 1);
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<int>(message));
        using var reader = _slim.OpenReaderSession();
        Assert.Throws<SlimMalformedException>(() => reader.Deserialize<int>(_slim.Serialize(1)));
    }

    [Fact]
    public void UseAfterDispose_AndOverlappingUse_AreReported()
    {
        var writer = _slim.OpenWriterSession();
        Exception? nested = null;
        CallbackCodec codec = new(() => nested = Record.Exception(writer.Commit));
        SlimSerializer slim = new(new SlimOptions().AddCodec(codec));
        writer = slim.OpenWriterSession();
        Write(writer, new Third());
        Assert.IsType<InvalidOperationException>(nested);
        writer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Write(writer, 1));
    }

    [Fact]
    public void TypesOfASession_AreBounded()
    {
        SlimSerializer slim = new(new SlimOptions { Limits = { MaxTypeCount = 1 } });
        using var writer = slim.OpenWriterSession();
        Write(writer, new Item());
        writer.Commit();
        Assert.Equal(
            nameof(SlimLimits.MaxTypeCount),
            Assert.Throws<SlimLimitException>(() => Write(writer, new Item { Inner = new Other() })).LimitName);
    }

    [Fact]
    public void ManyMessages_WrittenFirst_AreReadInOrderAfterwards()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        List<byte[]> messages = [];
        for (var i = 0; i < 500; i++)
        {
            messages.Add(Write(writer, new Item { Number = i, Inner = i % 3 == 0 ? new Other() : new Third() }));
            writer.Commit();
        }

        for (var i = 0; i < messages.Count; i++)
            Assert.Equal(i, reader.Deserialize<Item>(messages[i]).Number);
    }

    [Fact]
    public void InterleavedSessions_OnOneSerializer_KeepTheirTypesApart()
    {
        using var first = _slim.OpenWriterSession();
        using var second = _slim.OpenWriterSession();
        using var firstReader = _slim.OpenReaderSession();
        using var secondReader = _slim.OpenReaderSession();
        for (var i = 0; i < 20; i++)
        {
            var one = Write(first, new Item { Inner = i % 2 == 0 ? new Other() : new Third() });
            var two = Write(second, new Item { Inner = i % 2 == 0 ? new Third() : new Other() });
            first.Commit();
            second.Commit();
            Assert.Equal(i % 2 == 0, secondReader.Deserialize<Item>(two).Inner is Third);
            Assert.Equal(i % 2 == 0, firstReader.Deserialize<Item>(one).Inner is Other);
        }
    }

    [Theory]
    [InlineData(SlimSchema.Full, 1)]
    [InlineData(SlimSchema.Full, 3)]
    [InlineData(SlimSchema.Full, 100)]
    [InlineData(SlimSchema.Known, 1)]
    [InlineData(SlimSchema.Known, 3)]
    [InlineData(SlimSchema.Known, 100)]
    public void WrongCountOfDescriptions_PoisonsTheReader(SlimSchema schema, byte count)
    {
        const int CountOffset = 3;
        SlimSerializer slim = new(new SlimOptions { Schema = schema });
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        var message = Write(writer, new Item { Inner = new Wordy { Text = "long enough for a third fingerprint" } });
        Assert.Equal(2, message[CountOffset]);
        message[CountOffset] = count;
        writer.Commit();
        Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Item>(message));

        // The number of this one is right: only what came before can have ended the session.
        var next = Write(writer, new Item { Inner = new Other() });
        SlimException error = Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Item>(next));
        Assert.Contains("reopen", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("was expected", error.Message, StringComparison.Ordinal);
    }

    private void CheckPoison(Func<byte[], byte[], byte[][]> delivered)
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        var first = Write(writer, new Item());
        writer.Commit();
        var second = Write(writer, new Item());
        writer.Commit();
        var messages = delivered(first, second);
        foreach (var message in messages[..^1])
            reader.Deserialize<Item>(message);
        Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Item>(messages[^1]));
        SlimException error = Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Item>(second));
        Assert.Contains("reopen", error.Message, StringComparison.Ordinal);
    }

    private static byte[] Write<T>(SlimWriterSession session, T value)
    {
        ArrayBufferWriter<byte> output = new();
        session.Serialize(output, value);
        return output.WrittenSpan.ToArray();
    }

    private sealed class Item
    {
        public int Number;
        public Part? Inner;
        public object? Any;
    }

    private abstract class Part;

    private sealed class Other : Part;

    private sealed class Wordy : Part
    {
        public string Text = "";
    }

    private sealed class Third : Part;

    private sealed class CallbackCodec(Action onWrite) : SlimCodec<Third>
    {
        public override void Write(SlimWriter writer, Third value) => onWrite();

        public override Third Create(SlimReader reader) => new();
    }
}
