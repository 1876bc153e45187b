using Cluster.Slim.Layouts;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Roots;

/// <summary>Proves for some root types that no object below the root can be referred to twice, so that writers and
/// readers need not remember objects. The proof uses declarations only: each class or array type occurs in one place,
/// that place is not repeated, and no other type fits into it. One exception: the elements of a list or array that hold
/// only values and texts. For these, the writer checks in each message that no two elements are the same object. Used
/// once per root.</summary>
internal sealed class SharingProof(AllowSet allowed)
{
    private readonly HashSet<Type> _seen = [];
    private readonly List<Type> _elements = [];

    /// <summary>The element types of lists and arrays whose elements the writer must compare; set by
    /// <see cref="Excludes"/>. Null when there are none, or when the declarations leave room for other shared
    /// objects.</summary>
    public Type[]? LoneElements { get; private set; }

    /// <summary>Proves for an object of exactly this type that it and all objects below it have one reference each.
    /// False: they may share, or <see cref="LoneElements"/> is set.</summary>
    public bool Excludes(TypeLayout root)
    {
        var isAlone = IsAlone(root, isRepeated: false);
        if (isAlone && _elements.Count > 0)
            LoneElements = [.. _elements];
        return isAlone && _elements.Count == 0;
    }

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

    // Other steps may lead to objects that the layout does not show.
    private bool IsAlone(TypeLayout layout, LayoutStep step, bool isRepeated) => step.Op switch
    {
        LayoutOp.Bytes or LayoutOp.Length or LayoutOp.Address or LayoutOp.Bits => true,
        LayoutOp.Place or LayoutOp.Optional => IsAlone(step.Types[0], isRepeated),
        LayoutOp.Items or LayoutOp.Repeat or LayoutOp.Elements =>
            Array.TrueForAll(step.Types, type => IsAlone(type, isRepeated: true))
            || (!isRepeated && HasElementsOfItsOwn(layout, step)),
        LayoutOp.Fields => Array.TrueForAll(layout.Fields, field => IsAlone(field.Type, isRepeated)),
        _ => false,
    };

    // Only type serializers of arrays and lists write all elements with one call, and only they compare the elements.
    private bool HasElementsOfItsOwn(TypeLayout layout, LayoutStep step)
    {
        if (step.Types is not [{ IsValue: false, IsOpen: false, Type: { IsSealed: true, IsArray: false } element } own]
            || layout.Type is not { } type
            || !(type.IsSZArray || (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(List<>))))
            return false;
        _elements.Add(element);
        return _seen.Add(element) && AreAlone(own, own.Creation, isRepeated: true)
            && AreAlone(own, own.Body, isRepeated: true);
    }

    private bool IsOnlyItself(Type type) => type.IsSealed || allowed.HasNoSubtypeOf(type);

    // A place of an array of integers can hold an array of other integers of the same size, such as int[] and uint[].
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
