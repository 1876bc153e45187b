using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Security;

/// <summary>Finalizers of objects from a message run only when the whole message was accepted, at every entry point.
/// Each case has a number of its own, which the finalizers report.</summary>
[Trait("Case", "slim-M")]
public sealed class FinalizerTests
{
    private const int ObjectCount = 20;

    private static readonly ConcurrentDictionary<int, int> Finalized = new();
    private static readonly SlimSerializer Slim = new(new SlimOptions().Allow<Guarded>());
    private static int _caseLast;

    private readonly int _case = Interlocked.Increment(ref _caseLast);

    public static TheoryData<string> EntryPoints => ["span", "stream", "roots", "messages", "session"];

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void Finalizers_OfAnAcceptedMessage_Run(string entry)
    {
        Read(entry, NewMessage(entry), accept: true);
        Collect();
        Assert.Equal(ObjectCount, Finalized.GetValueOrDefault(_case));
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void Finalizers_OfARefusedMessage_NeverRun(string entry)
    {
        Read(entry, [.. NewMessage(entry), 0], accept: false);
        Collect();
        Assert.Equal(0, Finalized.GetValueOrDefault(_case));
    }

    [Theory]
    [MemberData(nameof(EntryPoints))]
    public void Finalizers_OfATruncatedMessage_NeverRun(string entry)
    {
        Read(entry, NewMessage(entry)[..^1], accept: false);
        Collect();
        Assert.Equal(0, Finalized.GetValueOrDefault(_case));
    }

    [Fact]
    public void Finalizers_BetweenReadAndComplete_DoNotRun_AndRunAfterComplete()
    {
        SlimMessageReader reader = new(Slim);
        reader.Begin(new ReadOnlySequence<byte>(NewMessage("messages")));
        ReadAndForget(reader);
        Collect();
        Assert.Equal(0, Finalized.GetValueOrDefault(_case));
        reader.Complete();
        Collect();
        Assert.Equal(ObjectCount, Finalized.GetValueOrDefault(_case));
    }

    [Fact]
    public void Finalizers_OfAnAbortedMessage_NeverRun()
    {
        SlimMessageReader reader = new(Slim);
        reader.Begin(new ReadOnlySequence<byte>(NewMessage("messages")));
        ReadAndForget(reader);
        reader.Abort();
        Collect();
        Assert.Equal(0, Finalized.GetValueOrDefault(_case));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadAndForget(SlimMessageReader reader) => Assert.Equal(
        ObjectCount, reader.Read<Guarded[]>().Length);

    // The objects that are written have finalizers, too; they report the case number 0, which nobody has.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] NewMessage(string entry)
    {
        Guarded[] objects = [.. Enumerable.Range(0, ObjectCount).Select(_ => new Guarded { Case = _case })];
        var message = Write(entry, objects);
        Array.ForEach(objects, static o => o.Case = 0);
        return message;
    }

    private static byte[] Write(string entry, Guarded[] objects)
    {
        if (entry != "session")
            return Slim.Serialize(objects);
        using var session = Slim.OpenWriterSession();
        ArrayBufferWriter<byte> output = new();
        session.Serialize(output, objects);
        return output.WrittenSpan.ToArray();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Read(string entry, byte[] message, bool accept)
    {
        var error = Record.Exception(() => Read(entry, message));
        Assert.Equal(accept, error is null);
        Assert.True(error is null or SlimException, $"{error}");
    }

    private static void Read(string entry, byte[] message)
    {
        switch (entry)
        {
            case "span":
                Slim.Deserialize<Guarded[]>(message.AsSpan());
                break;
            case "stream":
                Slim.Deserialize<Guarded[]>(new MemoryStream(message));
                break;
            case "roots":
                Slim.DeserializeRoots(new ReadOnlySequence<byte>(message), [typeof(Guarded[])]);
                break;
            case "messages":
                SlimMessageReader reader = new(Slim);
                reader.Begin(new ReadOnlySequence<byte>(message));
                reader.Read<Guarded[]>();
                reader.Complete();
                break;
            default:
                using (var session = Slim.OpenReaderSession())
                    session.Deserialize<Guarded[]>(message);
                break;
        }
    }

    // Twice, because a finalizer may run for an object that the first collection only found.
    private static void Collect()
    {
        for (var i = 0; i < 2; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private sealed class Guarded
    {
        public int Case;

        ~Guarded() => Finalized.AddOrUpdate(Case, 1, static (_, count) => count + 1);
    }
}
