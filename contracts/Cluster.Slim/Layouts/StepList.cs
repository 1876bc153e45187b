namespace Cluster.Slim.Layouts;

/// <summary>Collects the steps by which a plan or slot says what it writes. Used by one thread.</summary>
/// <param name="resolve">Finds the layout of a declared type; it may be filled later.</param>
internal sealed class StepList(Func<Type, TypeLayout> resolve)
{
    private readonly List<LayoutStep> _steps = [];

    internal LayoutStep[] ToArray() => [.. _steps];

    internal StepList Bytes(int count) => Add(LayoutOp.Bytes, count);

    internal StepList Text() => Place(typeof(string));

    internal StepList Place(Type declared) => Add(LayoutOp.Place, 0, declared);

    internal StepList Items(params Type[] declared) => Add(LayoutOp.Items, declared.Length, declared);

    internal StepList Optional(Type declared) => Add(LayoutOp.Optional, 0, declared);

    internal StepList Repeat(int count, Type declared) => Add(LayoutOp.Repeat, count, declared);

    internal StepList Length() => Add(LayoutOp.Length, 0);

    internal StepList Dimensions(int rank) => Add(LayoutOp.Dimensions, rank);

    internal StepList Elements(Type declared) => Add(LayoutOp.Elements, 0, declared);

    internal StepList Comparer() => Add(LayoutOp.Comparer, 0);

    internal StepList Segment(Type declared) => Add(LayoutOp.Segment, 0, declared);

    internal StepList Address() => Add(LayoutOp.Address, 0);

    internal StepList TypeReference() => Add(LayoutOp.TypeReference, 0);

    internal StepList Bits() => Add(LayoutOp.Bits, 0);

    internal StepList Fields() => Add(LayoutOp.Fields, 0);

    internal StepList Codec(int version) => Add(LayoutOp.Codec, version);

    internal StepList Target() => Add(LayoutOp.Target, 0);

    private StepList Add(LayoutOp op, int count, params Type[] declared)
    {
        _steps.Add(new LayoutStep(op, count, Array.ConvertAll(declared, type => resolve(type))));
        return this;
    }
}
