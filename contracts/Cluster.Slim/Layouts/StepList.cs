namespace Cluster.Slim.Layouts;

/// <summary>Collects the steps by which a type serializer or field serializer describes what it writes. Used by one
/// thread.</summary>
/// <param name="resolve">Finds the layout of a declared type; that layout may still be empty.</param>
internal sealed class StepList(Func<Type, TypeLayout> resolve)
{
    private readonly List<LayoutStep> _steps = [];

    public LayoutStep[] ToArray() => [.. _steps];

    public StepList Bytes(int count) => Add(LayoutOp.Bytes, count);

    public StepList Text() => Place(typeof(string));

    public StepList Place(Type declared) => Add(LayoutOp.Place, 0, declared);

    public StepList Items(params Type[] declared) => Add(LayoutOp.Items, declared.Length, declared);

    public StepList Optional(Type declared) => Add(LayoutOp.Optional, 0, declared);

    public StepList Repeat(int count, Type declared) => Add(LayoutOp.Repeat, count, declared);

    public StepList Length() => Add(LayoutOp.Length, 0);

    public StepList Dimensions(int rank) => Add(LayoutOp.Dimensions, rank);

    public StepList Elements(Type declared) => Add(LayoutOp.Elements, 0, declared);

    public StepList Comparer() => Add(LayoutOp.Comparer, 0);

    public StepList Segment(Type declared) => Add(LayoutOp.Segment, 0, declared);

    public StepList Address() => Add(LayoutOp.Address, 0);

    public StepList TypeReference() => Add(LayoutOp.TypeReference, 0);

    public StepList Bits() => Add(LayoutOp.Bits, 0);

    public StepList Fields() => Add(LayoutOp.Fields, 0);

    public StepList Codec(int version) => Add(LayoutOp.Codec, version);

    public StepList Target() => Add(LayoutOp.Target, 0);

    private StepList Add(LayoutOp op, int count, params Type[] declared)
    {
        _steps.Add(new LayoutStep(op, count, Array.ConvertAll(declared, type => resolve(type))));
        return this;
    }
}
