using Cluster.Slim.Codecs.NonGeneric;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads a comparer of objects: the default one, the invariant one, or that of a culture.</summary>
internal readonly struct ObjectComparerCodec : ILeafCodec<Comparer>
{
    public static void Describe(StepList steps) => steps.Bytes(1).Text();

    public static void Write(SlimWriter writer, Comparer value) => CultureOrder.Write(
        writer, value, Comparer.Default, Comparer.DefaultInvariant, HiddenSettings.CompareInfoOf);

    public static Comparer Read(SlimReader reader) => CultureOrder.Read(
        reader, Comparer.Default, Comparer.DefaultInvariant, static culture => new Comparer(culture));
}
