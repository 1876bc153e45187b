using Cluster.Slim.Errors;
using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Registry;

/// <summary>Finds the serializers that read described values, for one closed list: those of this process where the
/// layouts are equal, and otherwise serializers made for the description. Remembers the latter; safe for many
/// threads.</summary>
internal sealed class DescriptionBinder(AllowSet allowed, SerializerRegistry serializers)
{
    // A layout in memory is larger than its description by at most this factor.
    private const int BytesPerByte = 32;

    private readonly DescriptionCache _described =
        new(serializers.Rules.DescriptionCountMax, serializers.Rules.DescriptionBytesMax);

    public int Count => _described.Count;

    /// <summary>The binding of a description of another layout under the list.</summary>
    public DescribedTypes Described(byte[] description) =>
        _described.GetOrAdd(description, text => new DescribedTypes(text, allowed, serializers));

    public TypeSerializer SerializerOf(DescribedPlace place)
    {
        (var types, var index) = place;
        return Bind(types.IsOf(allowed) ? types : Described(types.Text), index);
    }

    public TypeSerializer SerializerOf(DescribedType described, SlimReader? reader) =>
        described.Text is { } text ? FindByText(described, text, reader) : FindByFingerprint(described, reader);

    public TypeLayout LayoutOf(DescribedType described, SlimReader? reader)
    {
        if (described.Text is not { } text)
            return FindLayoutByFingerprint(described, reader);
        return allowed.FindCarriedByName(LayoutDecoder.NameOf(text)) is { } serializer && IsSame(serializer, described)
            ? serializers.Layouts.Of(serializer.Type)
            : Decode(text, reader).Root;
    }

    private TypeSerializer FindByFingerprint(DescribedType described, SlimReader? reader) =>
        allowed.FindByFingerprint(described.Fingerprint)
            ?? FindByText(described, FindDescription(described.Fingerprint), reader);

    // The type of a value that is skipped need not be on the list.
    private TypeLayout FindLayoutByFingerprint(DescribedType described, SlimReader? reader) =>
        allowed.FindByFingerprint(described.Fingerprint) is { } serializer
            ? serializers.Layouts.Of(serializer.Type)
            : Decode(FindDescription(described.Fingerprint), reader).Root;

    private byte[] FindDescription(ulong fingerprint) =>
        serializers.Rules.KnownLayouts?.Find(fingerprint)
            ?? throw Throw.UnknownFingerprint(fingerprint, allowed.Root);

    private TypeSerializer FindByText(DescribedType described, byte[] text, SlimReader? reader)
    {
        var name = LayoutDecoder.NameOf(text);
        var serializer = allowed.FindByName(name) ?? throw allowed.Unknown(name);
        if (IsSame(serializer, described))
            return serializer;
        var types = Decode(text, reader);
        if (serializers.Rules.Versioning == SlimVersioning.Tolerant)
            return Bind(types, 0);
        (var different, var how) =
            new LayoutDifference(serializers.Names).First(types.Root, serializers.Layouts.Of(serializer.Type));
        throw Throw.Layout(
            different, $"{different} was written with another layout, and SlimOptions.Versioning is Strict: {how}");
    }

    private static TypeSerializer Bind(DescribedTypes types, int index)
    {
        try
        {
            return types.SerializerOf(index);
        }
        catch (SlimLayoutException refusal)
        {
            refusal.WrittenFingerprint ??= XxHash3.Hash(types.Text);
            throw;
        }
    }

    private bool IsSame(TypeSerializer serializer, DescribedType described) =>
        serializers.FingerprintOf(serializer.Type) == described.Fingerprint
        || serializers.PastFingerprintsOf(serializer.Type).Contains(described.Fingerprint);

    private DescribedTypes Decode(byte[] text, SlimReader? reader)
    {
        reader?.Charge((long)BytesPerByte * text.Length);
        return Described(text);
    }
}
