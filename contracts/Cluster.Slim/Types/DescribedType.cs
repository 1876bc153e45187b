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
        TypeText described = TypeText.Parse(text!);
        ObjectPlan plan = allowed.FindByName(described.Name) ?? throw Throw.NotAllowed(described.Name, allowed.Root);
        if (plans.FingerprintOf(plan.Type) == fingerprint
            || plans.PastFingerprintsOf(plan.Type).Contains(fingerprint))
            return plan;
        string[] own = plans.Rules.History.Append(null)
            .Where(past => TypeNames.Of(plan.Type, past) == described.Name)
            .Select(past => LayoutFingerprints.FieldsTextOf(plan.Type, past))
            .MinBy(described.CountDifferences)!;
        throw Throw.Layout(
            described.Name,
            $"{described.Name} was written with another layout: {described.FirstDifference(own)}");
    }
}
