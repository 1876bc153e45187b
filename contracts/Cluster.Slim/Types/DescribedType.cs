using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Types;

/// <summary>A type as a message described it, and what it was found to be under the list that asked last.</summary>
internal sealed class DescribedType(ulong fingerprint, byte[]? text)
{
    private AllowSet? _foundIn;
    private ObjectPlan? _plan;

    /// <summary>The plan of the type, after checking that the list admits it and the layouts are equal.</summary>
    internal ObjectPlan Find(AllowSet allowed, PlanRegistry plans)
    {
        if (!ReferenceEquals(_foundIn, allowed))
        {
            _plan = text is null ? FindByFingerprint(allowed) : FindByText(allowed, plans);
            _foundIn = allowed;
        }

        return _plan!;
    }

    private ObjectPlan FindByFingerprint(AllowSet allowed) =>
        allowed.FindByFingerprint(fingerprint)
            ?? throw Throw.Layout(
                "",
                $"No type on the closed list of {allowed.Root} has the layout fingerprint {fingerprint:x16}. "
                + "Writer and reader differ in the type's fields, or the type has to be added with Allow.");

    private ObjectPlan FindByText(AllowSet allowed, PlanRegistry plans)
    {
        string name = LayoutDecoder.NameOf(text);
        ObjectPlan plan = allowed.FindByName(name) ?? throw Throw.NotAllowed(name, allowed.Root);
        if (plans.FingerprintOf(plan.Type) == fingerprint
            || plans.PastFingerprintsOf(plan.Type).Contains(fingerprint))
            return plan;
        TypeLayout described = new LayoutDecoder(text, plans.Layouts.OfCode).Decode()[0];
        (string different, string how) = new LayoutDifference(new LayoutNames(plans.Rules))
            .First(described, plans.Layouts.Of(plan.Type));
        throw Throw.Layout(different, $"{different} was written with another layout: {how}");
    }
}
