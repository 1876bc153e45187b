using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Types;

/// <summary>A type as a message described it, and what it was found to be under the list that asked last.</summary>
internal sealed class DescribedType(ulong fingerprint, byte[]? text)
{
    public const int FingerprintBytes = 8;

    // A layout in memory is bigger than its description by no more than this.
    private const int BytesPerByte = 32;

    private AllowSet? _foundIn;
    private ObjectPlan? _plan;
    private TypeLayout? _layout;

    /// <summary>Where the description stands in the message, so that a reader that passes it twice knows it.</summary>
    public int Start { get; init; } = -1;

    /// <summary>Where the description ends.</summary>
    public int End { get; init; }

    /// <summary>The plan of the type, after checking that the list admits it.</summary>
    public ObjectPlan Find(AllowSet allowed, PlanRegistry plans, SlimReader? reader)
    {
        Enter(allowed);
        return _plan ??= text is null ? FindByFingerprint(allowed) : FindByText(allowed, plans, reader);
    }

    /// <summary>How values of the type lie in the message, whether or not the list admits it.</summary>
    public TypeLayout FindLayout(AllowSet allowed, PlanRegistry plans, SlimReader? reader)
    {
        Enter(allowed);
        return _layout ??= text is null
            ? plans.Layouts.Of(FindByFingerprint(allowed).Type)
            : FindLayoutByText(allowed, plans, reader);
    }

    private void Enter(AllowSet allowed)
    {
        if (ReferenceEquals(_foundIn, allowed))
            return;
        _plan = null;
        _layout = null;
        _foundIn = allowed;
    }

    private ObjectPlan FindByFingerprint(AllowSet allowed) =>
        allowed.FindByFingerprint(fingerprint)
            ?? throw Throw.UnknownFingerprint(fingerprint, allowed.Root);

    private ObjectPlan FindByText(AllowSet allowed, PlanRegistry plans, SlimReader? reader)
    {
        var name = LayoutDecoder.NameOf(text);
        var plan = allowed.FindByName(name) ?? throw allowed.Unknown(name);
        if (IsSame(plan, plans))
            return plan;
        var types = Decode(allowed, reader);
        if (plans.Rules.Versioning == SlimVersioning.Tolerant)
            return types.PlanOf(0);
        (var different, var how) =
            new LayoutDifference(plans.Names).First(types.Root, plans.Layouts.Of(plan.Type));
        throw Throw.Layout(
            different, $"{different} was written with another layout, and SlimOptions.Versioning is Strict: {how}");
    }

    private TypeLayout FindLayoutByText(AllowSet allowed, PlanRegistry plans, SlimReader? reader) =>
        allowed.FindCarriedByName(LayoutDecoder.NameOf(text)) is { } plan && IsSame(plan, plans)
            ? plans.Layouts.Of(plan.Type)
            : Decode(allowed, reader).Root;

    private bool IsSame(ObjectPlan plan, PlanRegistry plans) =>
        plans.FingerprintOf(plan.Type) == fingerprint || plans.PastFingerprintsOf(plan.Type).Contains(fingerprint);

    private DescribedTypes Decode(AllowSet allowed, SlimReader? reader)
    {
        reader?.Charge((long)BytesPerByte * text!.Length);
        return allowed.Described(text!);
    }
}
