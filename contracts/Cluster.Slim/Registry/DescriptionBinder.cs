using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Registry;

/// <summary>Finds the plans that read what messages describe, for one closed list: those of this process where the
/// layouts are the same, and else plans made for the description. Remembers the latter; safe for many
/// threads.</summary>
internal sealed class DescriptionBinder(AllowSet allowed, PlanRegistry plans)
{
    // A layout in memory is bigger than its description by no more than this.
    private const int BytesPerByte = 32;

    private readonly DescriptionCache _described =
        new(plans.Rules.DescriptionCountMax, plans.Rules.DescriptionBytesMax);

    /// <summary>How many descriptions are remembered.</summary>
    public int Count => _described.Count;

    /// <summary>What a description of another layout comes to under the list.</summary>
    public DescribedTypes Described(byte[] description) =>
        _described.GetOrAdd(description, text => new DescribedTypes(text, allowed, plans));

    public ObjectPlan PlanOf(DescribedPlace place)
    {
        (var types, var index) = place;
        return (types.IsOf(allowed) ? types : Described(types.Text)).PlanOf(index);
    }

    public ObjectPlan PlanOf(DescribedType described, SlimReader? reader) =>
        described.Text is { } text ? FindByText(described, text, reader) : FindByFingerprint(described);

    public TypeLayout LayoutOf(DescribedType described, SlimReader? reader)
    {
        if (described.Text is not { } text)
            return plans.Layouts.Of(FindByFingerprint(described).Type);
        return allowed.FindCarriedByName(LayoutDecoder.NameOf(text)) is { } plan && IsSame(plan, described)
            ? plans.Layouts.Of(plan.Type)
            : Decode(text, reader).Root;
    }

    private ObjectPlan FindByFingerprint(DescribedType described) =>
        allowed.FindByFingerprint(described.Fingerprint)
            ?? throw Throw.UnknownFingerprint(described.Fingerprint, allowed.Root);

    private ObjectPlan FindByText(DescribedType described, byte[] text, SlimReader? reader)
    {
        var name = LayoutDecoder.NameOf(text);
        var plan = allowed.FindByName(name) ?? throw allowed.Unknown(name);
        if (IsSame(plan, described))
            return plan;
        var types = Decode(text, reader);
        if (plans.Rules.Versioning == SlimVersioning.Tolerant)
            return types.PlanOf(0);
        (var different, var how) =
            new LayoutDifference(plans.Names).First(types.Root, plans.Layouts.Of(plan.Type));
        throw Throw.Layout(
            different, $"{different} was written with another layout, and SlimOptions.Versioning is Strict: {how}");
    }

    private bool IsSame(ObjectPlan plan, DescribedType described) =>
        plans.FingerprintOf(plan.Type) == described.Fingerprint
        || plans.PastFingerprintsOf(plan.Type).Contains(described.Fingerprint);

    private DescribedTypes Decode(byte[] text, SlimReader? reader)
    {
        reader?.Charge((long)BytesPerByte * text.Length);
        return Described(text);
    }
}
