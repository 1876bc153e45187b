namespace Cluster.Slim.Tests.Matrix;

/// <summary>A serializer that writes and one that reads. Where the format allows it they are two, with different
/// schemas, so that nothing the writer has cached can help the reader.</summary>
/// <param name="Name">What failures call it.</param>
/// <param name="Writer">The serializer that writes.</param>
/// <param name="Reader">The serializer that reads.</param>
internal sealed record MatrixSide(string Name, SlimSerializer Writer, SlimSerializer Reader)
{
    private static readonly ConditionalWeakTable<Action<SlimOptions>, MatrixSide[]> Configured = [];
    private static readonly MatrixSide[] Plain = Make(static _ => { });

    /// <summary>The sides for a set of options; made once per delegate, because serializers are costly.</summary>
    public static MatrixSide[] Of(Action<SlimOptions>? configure) =>
        configure is null ? Plain : Configured.GetValue(configure, Make);

    private static MatrixSide[] Make(Action<SlimOptions> configure)
    {
        var full = Serializer(configure, SlimProfile.Contract, SlimSchema.Full);
        var known = Serializer(configure, SlimProfile.Contract, SlimSchema.Known);
        var inProcess = Serializer(configure, SlimProfile.InProcess, SlimSchema.Full);
        return
        [
            new MatrixSide("Full", full, known),
            new MatrixSide("Known", known, full),
            new MatrixSide("InProcess", inProcess, inProcess),
        ];
    }

    private static SlimSerializer Serializer(Action<SlimOptions> configure, SlimProfile profile, SlimSchema schema)
    {
        SlimOptions options = new() { Profile = profile, Schema = schema };
        configure(options);
        return new SlimSerializer(options);
    }
}
