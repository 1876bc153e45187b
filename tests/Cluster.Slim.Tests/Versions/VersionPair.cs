using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Versions;

/// <summary>Two versions of the types of one assembly, and every way in which a message of the one reaches the other:
/// alone, as one of several roots, as first and later message of a session; each of them also with descriptions beside the
/// message.</summary>
internal sealed class VersionPair(string old, string now)
{
    public TypeVersion Old { get; } = new("Shop", old);

    public TypeVersion Now { get; } = new("Shop", now);

    /// <summary>Reads the object as the type of the same name of the new version, in every way.</summary>
    public void Check(
        object root,
        Action<dynamic> check,
        Action<SlimOptions>? writing = null,
        Action<SlimOptions>? reading = null)
    {
        foreach (var read in Ways(root, Options(Old, writing), Options(Now, reading)))
            check(read());
    }

    /// <summary>The exception with which every way ends; all have to end with the same.</summary>
    public TException Refuses<TException>(
        object root, Action<SlimOptions>? writing = null, Action<SlimOptions>? reading = null)
        where TException : SlimException
    {
        TException? error = null;
        foreach (var read in Ways(root, Options(Old, writing), Options(Now, reading)))
        {
            var next = Assert.Throws<TException>(() => read());
            if (next is not SlimLimitException)
                Assert.Equal(error?.Message ?? next.Message, next.Message);
            error = next;
        }

        return error!;
    }

    /// <summary>One message of the object alone, and a serializer that knows the new version.</summary>
    public (byte[] Message, SlimSerializer Reader) Message(object root, Action<SlimOptions>? reading = null) => (
        new SlimSerializer(Options(Old, null)).Serialize<object>(root),
        new SlimSerializer(Options(Now, reading)));

    private static SlimOptions Options(TypeVersion version, Action<SlimOptions>? change)
    {
        SlimOptions options = new();
        change?.Invoke(options);
        foreach (var type in version.All)
            options.Allow(type);
        return options;
    }

    private static IEnumerable<Func<object>> Ways(object root, SlimOptions writing, SlimOptions reading)
    {
        SlimSerializer writer = new(writing);
        SlimSerializer reader = new(reading);
        var message = writer.Serialize(root);
        yield return () => reader.Deserialize<object>(message);
        yield return () => reader.Deserialize<object>(message);
        yield return () => ReadRoots(writer, reader, root);
        yield return () => ReadSession(writer, reader, root, count: 1);
        yield return () => ReadSession(writer, reader, root, count: 3);

        // A message without descriptions is a case of its own, and descriptions beside a message count against no limit.
        if (writing.Schema == SlimSchema.Known || reading.Limits.MaxTypeBytes < new SlimLimits().MaxTypeBytes)
            yield break;

        // The message names layouts by their fingerprints, and the host carries the descriptions.
        var layouts = new KnownLayouts();
        writing.Schema = SlimSchema.Known;
        SlimSerializer knownWriter = new(writing.UseKnownLayouts(layouts));
        SlimSerializer knownReader = new(reading.UseKnownLayouts(layouts));
        var known = knownWriter.Serialize(root);
        yield return () => knownReader.Deserialize<object>(known);
        yield return () => knownReader.Deserialize<object>(known);
        yield return () => ReadRoots(knownWriter, knownReader, root);
        yield return () => ReadSession(knownWriter, knownReader, root, count: 3);
    }

    private static object ReadRoots(SlimSerializer writer, SlimSerializer reader, object root)
    {
        SlimMessageWriter roots = new(writer);
        ArrayBufferWriter<byte> output = new();
        roots.Begin(output);
        roots.Write<object>(root);
        roots.Write<object>(root);
        roots.Complete();
        SlimMessageReader back = new(reader);
        back.Begin(new ReadOnlySequence<byte>(output.WrittenMemory));
        var first = back.Read<object>();
        Assert.Same(first, back.Read<object>());
        back.Complete();
        return first;
    }

    private static object ReadSession(SlimSerializer writer, SlimSerializer reader, object root, int count)
    {
        using var from = writer.OpenWriterSession();
        using var to = reader.OpenReaderSession();
        object? back = null;
        for (var i = 0; i < count; i++)
        {
            ArrayBufferWriter<byte> output = new();
            from.Serialize(output, root);
            from.Commit();
            back = to.Deserialize<object>(output.WrittenSpan);
        }

        return back!;
    }
}
