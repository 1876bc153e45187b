using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Sessions over many messages: streams, sessions side by side, readers out of step, and starting
/// anew.</summary>
[Trait("Case", "slim-K")]
public sealed class SessionStreamTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void ManyMessages_InOneStream_ComeBackInOrder()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        using MemoryStream stream = new();
        for (var i = 0; i < 1_000; i++)
        {
            var message = Write(writer, NodeOf(i));
            stream.Write(BitConverter.GetBytes(message.Length));
            stream.Write(message);
        }

        ReadOnlySpan<byte> left = stream.ToArray();
        for (var i = 0; i < 1_000; i++)
        {
            var length = BitConverter.ToInt32(left);
            Check(i, reader.Deserialize<Node>(left.Slice(4, length)));
            left = left[(4 + length)..];
        }

        Assert.True(left.IsEmpty);
    }

    [Fact]
    public void SessionsSideBySide_OnOneSerializer_KnowNothingOfEachOther()
    {
        (SlimWriterSession Writer, SlimReaderSession Reader)[] sessions =
            [.. Enumerable.Range(0, 5).Select(_ => (_slim.OpenWriterSession(), _slim.OpenReaderSession()))];
        for (var round = 0; round < 20; round++)
        {
            for (var i = 0; i < sessions.Length; i++)
            {
                var number = (round * (i + 1)) + i;
                Check(number, sessions[i].Reader.Deserialize<Node>(Write(sessions[i].Writer, NodeOf(number))));
                Assert.Equal(number, _slim.DeepClone(NodeOf(number)).Number);
            }
        }

        var foreign = Write(sessions[0].Writer, NodeOf(1));
        using var late = _slim.OpenReaderSession();
        Assert.Throws<SlimMalformedException>(() => late.Deserialize<Node>(foreign));
        Array.ForEach(sessions, static s =>
        {
            s.Writer.Dispose();
            s.Reader.Dispose();
        });
    }

    [Fact]
    public void SessionsOfManyThreads_OnOneSerializer_WorkAtOnce()
    {
        var errors = new Exception?[4];
        Thread[] threads =
            [.. errors.Select((_, i) => new Thread(() => errors[i] = Record.Exception(() => Exchange(200))))];
        Array.ForEach(threads, static t => t.Start());
        Array.ForEach(threads, static t => t.Join());
        Assert.All(errors, Assert.Null);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    public void ReaderThatJoinsLate_SaysWhichMessageItMissed_UntilBothStartAnew(int missed)
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        for (var i = 0; i < missed; i++)
            Write(writer, NodeOf(i));
        var message = Write(writer, NodeOf(missed));
        var error = Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Node>(message)).Message;
        Assert.Contains($"message 0 was expected and message {missed} came", error, StringComparison.Ordinal);
        Assert.Throws<SlimMalformedException>(() => reader.Deserialize<Node>(message));

        using var writerAnew = _slim.OpenWriterSession();
        using var readerAnew = _slim.OpenReaderSession();
        Check(5, readerAnew.Deserialize<Node>(Write(writerAnew, NodeOf(5))));
    }

    // After version, flags and number of a first message stands the count of descriptions, then the first fingerprint.
    [Theory]
    [InlineData(SlimSchema.Full, 3, 0)]
    [InlineData(SlimSchema.Full, 3, 1)]
    [InlineData(SlimSchema.Full, 3, 3)]
    [InlineData(SlimSchema.Full, 3, 0x7F)]
    [InlineData(SlimSchema.Known, 3, 0)]
    [InlineData(SlimSchema.Known, 4, 0x11)]
    public void CountOrFingerprintOfDescriptions_ThatIsWrong_IsRefusedUntilBothStartAnew(
        SlimSchema schema, int position, byte value)
    {
        SlimSerializer slim = new(new SlimOptions { Schema = schema });
        using var writer = slim.OpenWriterSession();
        using var reader = slim.OpenReaderSession();
        var good = Write(writer, NodeOf(1));
        var next = Write(writer, NodeOf(2));
        Assert.Equal(2, good[3]);
        byte[] damaged = [.. good];
        damaged[position] = value;
        Assert.IsAssignableFrom<SlimException>(Record.Exception(() => reader.Deserialize<Node>(damaged)));
        Assert.IsAssignableFrom<SlimException>(Record.Exception(() => reader.Deserialize<Node>(next)));
        Check(1, slim.OpenReaderSession().Deserialize<Node>(good));
    }

    [Fact]
    public void Types_AsPayload_ShareTheTableOfTheSession()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        var first = 0;
        for (var i = 0; i < 3; i++)
        {
            var message = Write(writer, new Described(typeof(Node), NodeOf(i)));
            var back = reader.Deserialize<Described>(message);
            Assert.Equal(typeof(Node), back.Type);
            Check(i, back.Node);
            first = i == 0 ? message.Length : first;
            Assert.True(i == 0 || message.Length < first / 4);
        }
    }

    [Fact]
    public void UseByTwoThreadsAtOnce_IsReported()
    {
        using ManualResetEventSlim entered = new();
        using ManualResetEventSlim released = new();
        SlimSerializer slim = new(new SlimOptions().AddCodec(new WaitingCodec(entered, released)));
        using var writer = slim.OpenWriterSession();
        Exception? slow = null;
        Thread thread = new(() => slow = Record.Exception(() => Write(writer, new Slow())));
        thread.Start();
        Assert.True(entered.Wait(Bound));
        var other = Record.Exception(() => Write(writer, 1));
        released.Set();
        thread.Join();
        Assert.Contains("one thread", Assert.IsType<InvalidOperationException>(other).Message, StringComparison.Ordinal);
        Assert.Null(slow);
        Assert.NotEmpty(Write(writer, 1));
    }

    private void Exchange(int count)
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        for (var number = 0; number < count; number++)
            Check(number, reader.Deserialize<Node>(Write(writer, NodeOf(number))));
    }

    private static Node NodeOf(int number) => new() { Number = number, Part = new Part { Text = "t" + number } };

    private static void Check(int number, Node back) => Assert.Equal((number, "t" + number), (back.Number, back.Part!.Text));

    private static byte[] Write<T>(SlimWriterSession session, T value)
    {
        ArrayBufferWriter<byte> output = new();
        session.Serialize(output, value);
        session.Commit();
        return output.WrittenSpan.ToArray();
    }

    private sealed class Node
    {
        public int Number;
        public Base? Part;
    }

    private abstract class Base
    {
        public string? Text;
    }

    private sealed class Part : Base;

    private sealed record Described(Type Type, Node Node);

    private sealed class Slow;

    private sealed class WaitingCodec(ManualResetEventSlim entered, ManualResetEventSlim released) : SlimCodec<Slow>
    {
        public override void Write(SlimWriter writer, Slow value)
        {
            entered.Set();
            Assert.True(released.Wait(Bound));
        }

        public override Slow Create(SlimReader reader) => new();
    }
}
