using Cluster.Slim.Types;

namespace Cluster.Slim.Layouts;

/// <summary>
/// Shows of some root types that no object below the root can be referred to twice, so that writers and readers need
/// not remember any: every object stands in the only place that could hold it. Declarations have to tell: each class
/// or array type occurs in one place, that place is not repeated, and no other type fits into it. Used once per root.
/// </summary>
internal sealed class SharingProof(AllowSet allowed)
{
    private readonly HashSet<Type> _seen = [];

    /// <summary>Whether an object of exactly the type and all it holds have one reference each.</summary>
    internal bool Excludes(TypeLayout root) => IsAlone(root, isRepeated: false);

    private bool IsAlone(TypeLayout layout, bool isRepeated)
    {
        if (layout.IsText)
            return true;
        if (layout.IsValue)
            return AreAlone(layout, layout.Body, isRepeated);
        return !isRepeated && !layout.IsOpen && layout.Type is { } type && IsOnlyItself(type)
            && _seen.Add(RepresentativeOf(type))
            && AreAlone(layout, layout.Creation, isRepeated: false) && AreAlone(layout, layout.Body, isRepeated: false);
    }

    private bool AreAlone(TypeLayout layout, LayoutStep[] steps, bool isRepeated) =>
        Array.TrueForAll(steps, step => IsAlone(layout, step, isRepeated));

    // Steps that are not named here may lead to objects in ways that layouts do not tell.
    private bool IsAlone(TypeLayout layout, LayoutStep step, bool isRepeated) => step.Op switch
    {
        LayoutOp.Bytes or LayoutOp.Length or LayoutOp.Address or LayoutOp.Bits => true,
        LayoutOp.Place or LayoutOp.Optional => IsAlone(step.Types[0], isRepeated),
        LayoutOp.Items or LayoutOp.Repeat or LayoutOp.Elements =>
            Array.TrueForAll(step.Types, type => IsAlone(type, isRepeated: true)),
        LayoutOp.Fields => Array.TrueForAll(layout.Fields, field => IsAlone(field.Type, isRepeated)),
        _ => false,
    };

    private bool IsOnlyItself(Type type) => type.IsSealed || allowed.HasNoSubtypeOf(type);

    // A place of an array of integers can hold one of other integers of the same size.
    private static Type RepresentativeOf(Type type)
    {
        if (!type.IsArray || type.GetElementType() is not { IsPrimitive: true } and not { IsEnum: true })
            return type;
        return TypeShape.ValueBytesOf(type.GetElementType()!) switch
        {
            1 => typeof(byte[]),
            2 => typeof(ushort[]),
            4 => typeof(uint[]),
            _ => typeof(ulong[]),
        };
    }
}
