using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;
using Cluster.Slim.Roots;
using Xunit.Sdk;

namespace Cluster.Slim.Tests.Matrix;

/// <summary>Carries one value along every way in and out: standalone, as message of a session, as one of several roots
/// and as a field; by every writer and reader; on every segmentation; in every schema. All writers have to give the
/// same bytes, all readers what the caller checks, and both sides have to count the same handles.</summary>
internal static class RoundTripMatrix
{
    private const int SessionMessageCount = 3;

    /// <summary>Carries the value and has every copy checked.</summary>
    /// <param name="value">The value; written many times.</param>
    /// <param name="check">Throws if a copy is not as it should be.</param>
    /// <param name="configure">Options the value needs; a lambda without captures is set up once only.</param>
    public static void Check<T>(T value, Action<T> check, Action<SlimOptions>? configure = null)
    {
        foreach (var side in MatrixSide.Of(configure))
        {
            CheckMessages(side, value, check);
            CheckSessions(side, value, check);
            CheckHandles(side, value, check);
            CheckField(side, value, check);
        }
    }

    /// <summary>Carries each value and expects equal copies.</summary>
    public static void CheckEqual<T>(params T[] values)
    {
        foreach (var value in values)
            Check(value, back => Assert.Equal(value, back));
    }

    private static void CheckMessages<T>(MatrixSide side, T value, Action<T> check)
    {
        var message = In($"{side.Name}, array", () => side.Writer.Serialize(value));
        foreach ((var name, var write) in Transports.Writers(side.Writer, value))
            In($"{side.Name}, {name}", () => SameBytes(message, write()));
        In($"{side.Name}, length", () => CheckLength(side.Writer, value, message));
        foreach ((var name, var read) in Transports.Readers<T>(side.Reader, message))
            In($"{side.Name}, {name}", () => check(read()));
        In($"{side.Name}, DeepClone", () => check(side.Writer.DeepClone(value)));
    }

    // Types are described in the first message; the later ones differ in nothing but their number.
    private static void CheckSessions<T>(MatrixSide side, T value, Action<T> check)
    {
        using var writer = side.Writer.OpenWriterSession();
        using var twin = side.Writer.OpenWriterSession();
        (string Name, SlimReaderSession Session)[] readers =
            [.. Transports.Segmentations([]).Select(s => (s.Name, side.Reader.OpenReaderSession()))];
        for (var i = 1; i <= SessionMessageCount; i++)
        {
            var cell = $"{side.Name}, session message {i}";
            var message = In(cell, () => Write(writer, value));
            In(cell, () => SameBytes(message, Write(twin, value)));
            foreach (((var name, var bytes), var reader) in Transports.Segmentations(message).Zip(readers))
                In($"{cell}, {name}", () => check(reader.Session.Deserialize<T>(bytes)));
        }

        Array.ForEach(readers, static reader => reader.Session.Dispose());
    }

    // The second reference to the probe is the number of handles before it: only if the reader counts like the writer
    // does it find the probe there.
    private static void CheckHandles<T>(MatrixSide side, T value, Action<T> check)
    {
        Probe probe = new();
        var message = In(
            $"{side.Name}, roots",
            () => Transports.Buffered(output => side.Writer.SerializeRoots(output, value, probe, probe)));
        foreach ((var name, var bytes) in Transports.Segmentations(message))
        {
            In($"{side.Name}, roots, {name}", () =>
            {
                var back = side.Reader.DeserializeRoots(bytes, [typeof(T), typeof(Probe), typeof(Probe)]);
                check((T)back[0]!);
                Assert.Same(Assert.IsType<Probe>(back[1]), back[2]);
            });
        }
    }

    private static void CheckField<T>(MatrixSide side, T value, Action<T> check)
    {
        Probe probe = new();
        Enclosed<T> source = new() { Content = value, ProbeFirst = probe, ProbeSecond = probe };
        In($"{side.Name}, field", () =>
        {
            var back = side.Reader.Deserialize<Enclosed<T>>(side.Writer.Serialize(source));
            check(back.Content);
            Assert.Same(Assert.IsType<Probe>(back.ProbeFirst), back.ProbeSecond);
        });
    }

    private static void CheckLength<T>(SlimSerializer slim, T value, byte[] message)
    {
        SlimWriter writer = new();
        StingyBufferWriter output = new();
        RootWriter.Begin(writer, slim.Engine, output);
        RootWriter.Write(writer, slim.Engine, slim.Engine.Roots.Of<T>(), ref Unsafe.As<T, byte>(ref value));
        Assert.Equal(message.Length, writer.BytesWritten);
        writer.Finish();
        Assert.Equal(message.Length, writer.BytesAdvanced);
        Assert.Equal(message.Length, output.Written.Length);
    }

    private static byte[] Write<T>(SlimWriterSession session, T value)
    {
        var message = Transports.Buffered(output => session.Serialize(output, value));
        session.Commit();
        return message;
    }

    private static void SameBytes(byte[] expected, byte[] actual)
    {
        if (!expected.AsSpan().SequenceEqual(actual))
            Assert.Equal(Convert.ToHexString(expected), Convert.ToHexString(actual));
    }

    private static void In(string cell, Action run) => In(cell, () =>
    {
        run();
        return true;
    });

    private static TResult In<TResult>(string cell, Func<TResult> run)
    {
        try
        {
            return run();
        }
        catch (Exception e)
        {
            throw new XunitException($"[{cell}] {e.Message}", e);
        }
    }

    public sealed class Probe;

    public sealed class Enclosed<T>
    {
        public T Content = default!;
        public Probe? ProbeFirst;
        public Probe? ProbeSecond;
    }
}
