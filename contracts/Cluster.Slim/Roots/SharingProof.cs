using Cluster.Slim.Layouts;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Roots;

/// <summary>Shows of some root types that no object below the root can be referred to twice, so that writers and
/// readers need not remember any: every object stands in the only place that could hold it. Declarations have to tell:
/// each class or array type occurs in one place, that place is not repeated, and no other type fits into it. The
/// elements of one list or array may be an exception: where they hold values and texts only, it is enough that no two
/// of them are the same object, which writers find out for each message. Used once per root.</summary>
internal sealed class SharingProof(AllowSet allowed)
{
    private readonly HashSet<Type> _seen = [];
    private readonly List<Type> _elements = [];

    /// <summary>The types of elements that only one list or array can hold, for an object of exactly the type; null
    /// when there are none, or other objects may be shared.</summary>
    public Type[]? LoneElements { get; private set; }

    /// <summary>Whether an object of exactly the type and all it holds have one reference each.</summary>
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

    // Steps that are not named here may lead to objects in ways that layouts do not tell.
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

    // What is written in one piece, by the serializer that looks whether its elements differ.
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
