using System.Linq.Expressions;
using Cluster.Slim.Graph;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Directed cases about depth, and about what is skipped and then read because something refers to
/// it.</summary>
internal static class DirectedSkipping
{
    private const int Deep = 2 * ObjectTags.HeadDepthMax;
    private const byte SecondType = (byte)ObjectTags.TypeTableFirst + 1;

    public static IEnumerable<DirectedCase> All() => [.. Skipped(), .. Deeper(), .. ReadAgain()];

    private static IEnumerable<DirectedCase> Skipped()
    {
        FuzzTypes.Node node = new();
        yield return Projection(
            "ProjectionReader.cs Follow 1", "has no member Number", node, node,
            static e => ((FuzzProjections.Way)e.Rest!).Number);
        var slim = New();
        var other = slim.Serialize<object>(node);
        yield return new DirectedCase(
            "ProjectionStart.cs Read 2", "The root is a", () => slim.CreateProjection(RestOf).Read(other));
        var chain = new object[Deep];
        chain[0] = ImmutableList<object>.Empty;
        for (var i = 1; i < chain.Length; i++)
            chain[i] = ImmutableList.Create(chain[i - 1]);
        yield return Projection("SkippedObjects.cs Build 2", "cannot be built so deep", chain, chain[^1], RestOf);
    }

    private static IEnumerable<DirectedCase> Deeper()
    {
        object lists = ImmutableList.Create<object>(
            ImmutableList.Create<object>(ImmutableList.Create<object>(ImmutableList<object>.Empty)));
        byte[] list = [ObjectTags.NewTyped, SecondType, 1];
        var slim = New();
        var message = Nested(slim.Serialize(Envelope(lists, null)), list);
        yield return Projection("Skipper.cs SkipNew 2", "is nested 160 levels deep", slim, message, RestOf);

        var stands = Stands(4);
        byte[] stand = [ObjectTags.NewTyped, SecondType, (byte)ReplacementFlags.BodyNext];
        message = Nested(slim.Serialize(Envelope(stands, null)), stand);
        yield return Projection("Skipper.cs SkipNew 3", "is nested 160 levels deep", slim, message, RestOf);
        var whole = Nested(slim.Serialize(Envelope(stands, null)), stand).Done();
        yield return new DirectedCase(
            "SlimReader.cs ReadReplaceableUnwatched 1", "160", () => slim.Deserialize<FuzzProjections.Envelope>(whole));
    }

    // A codec that reads another thing the second time: what it wrote in an array is skipped, and then kept.
    private static IEnumerable<DirectedCase> ReadAgain()
    {
        const int ObjectBytes = 2;
        object[] array = [new FuzzTypes.Mood(), new FuzzTypes.Node()];
        yield return Moody(
            "SkippedObjects.cs IndexHere 1", "is not what its description says", array, array,
            static () => new FuzzTypes.MoodCodec(
                static writer => writer.Write<object>(new object()),
                static reader => reader.Read<object>(),
                static reader => reader.ReadBytes(new byte[ObjectBytes])));
        yield return Moody(
            "SkippedObjects.cs ReadAgain 1", "that was skipped is not a", array, array,
            static () => new FuzzTypes.MoodCodec(
                static writer => writer.Write(new FuzzTypes.Node()),
                static reader => reader.Read<FuzzTypes.Node>(),
                static reader => reader.Read<FuzzProjections.Way>()));

        // The last list lies as deep as it may; the node in it may lie deeper, a list in its place may not.
        object last = ImmutableList.Create(new FuzzTypes.Pair(default, new FuzzTypes.Node()));
        var lists = last;
        for (var depth = ObjectTags.HeadDepthMax; depth > 2; depth--)
            lists = ImmutableList.Create(lists);
        yield return Moody(
            "SkippedObjects.cs Create 1", "160", lists, last,
            static () => new FuzzTypes.MoodCodec(
                static _ => { }, static _ => { }, static reader => reader.Read<ImmutableList<object>>()));
    }

    // Codecs with a state serve one serializer for one message only; cases may be run by several threads.
    private static DirectedCase Moody(
        string rule, string says, object any, object rest, Func<FuzzTypes.MoodCodec> newCodec) =>
        new(rule, says, () =>
        {
            var slim = New(newCodec());
            slim.CreateProjection(RestOf).Read(slim.Serialize(Envelope(any, rest)));
        });

    private static Expression<Func<FuzzProjections.Envelope, object?>> RestOf => static e => e.Rest;

    // What occurs twice in a row occurs many times.
    private static Forge Nested(byte[] message, byte[] level) => Forge.After(message).Replace(
        [.. level, .. level], [.. Enumerable.Repeat(level, Deep).SelectMany(static l => l)]);

    private static object Stands(int count)
    {
        object at = new FuzzTypes.Node();
        for (var i = 0; i < count; i++)
            at = new FuzzCallbacks.Stand { Target = at };
        return at;
    }

    private static FuzzProjections.Envelope Envelope(object? any, object? rest) => new() { Any = any, Rest = rest };

    private static SlimSerializer New(FuzzTypes.MoodCodec? codec = null)
    {
        var options = new SlimOptions().AllowCallbacks<FuzzCallbacks.Stand>()
            .Allow<FuzzProjections.Way>().Allow<FuzzTypes.Node>().Allow<ImmutableList<object>>();
        if (codec is not null)
            options.AddCodec(codec).Allow<FuzzTypes.Mood>().Allow<ImmutableList<FuzzTypes.Pair>>();
        return new SlimSerializer(options);
    }

    private static DirectedCase Projection<T>(
        string rule, string says, object any, object rest, Expression<Func<FuzzProjections.Envelope, T>> member)
    {
        var slim = New();
        return Projection(rule, says, slim, Forge.After(slim.Serialize(Envelope(any, rest))), member);
    }

    private static DirectedCase Projection<T>(
        string rule, string says, SlimSerializer slim, Forge message,
        Expression<Func<FuzzProjections.Envelope, T>> member)
    {
        var projection = slim.CreateProjection(member);
        var bytes = message.Done();
        return new DirectedCase(rule, says, () => projection.Read(bytes));
    }
}
