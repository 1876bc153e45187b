using Cluster.Slim.Codecs.NonGeneric;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Keys;

/// <summary>Writes and reads a comparer of objects that ignores the case of text: the invariant one, or that of a
/// culture.</summary>
internal readonly struct CaseInsensitiveComparerCodec : ILeafCodec<CaseInsensitiveComparer>
{
    public static void Describe(StepList steps) => steps.Bytes(1).Text();

    public static void Write(SlimWriter writer, CaseInsensitiveComparer value) => CultureOrder.Write(
        writer, value, null, CaseInsensitiveComparer.DefaultInvariant, HiddenSettings.CompareInfoOf);

    public static CaseInsensitiveComparer Read(SlimReader reader) => CultureOrder.Read(
        reader,
        null,
        CaseInsensitiveComparer.DefaultInvariant,
        static culture => new CaseInsensitiveComparer(culture));
}
