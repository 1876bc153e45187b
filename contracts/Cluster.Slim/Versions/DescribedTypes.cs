using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Versions;

/// <summary>One description of a type whose layout differs from that of this process, and the serializers that read its
/// values into the types of one closed list. Serializers are made at first use; threads that race make equal
/// ones.</summary>
internal sealed class DescribedTypes
{
    private readonly AllowSet _allowed;
    private readonly SerializerRegistry _registry;
    private readonly TypeLayout[] _layouts;
    private readonly TypeSerializer?[] _serializers;
    private readonly DescribedSerializers _source;

    public DescribedTypes(byte[] text, AllowSet allowed, SerializerRegistry registry)
    {
        Text = text;
        _allowed = allowed;
        _registry = registry;
        _layouts = new LayoutDecoder(text, registry.Layouts.OfCode).Decode();
        for (var i = 0; i < _layouts.Length; i++)
            _layouts[i].Place = new DescribedPlace(this, i);
        _serializers = new TypeSerializer?[_layouts.Length];
        _source = new DescribedSerializers(this, registry);
    }

    /// <summary>The description.</summary>
    public byte[] Text { get; }

    public TypeLayout Root => _layouts[0];

    /// <summary>The serializer for objects of a layout of this description.</summary>
    public TypeSerializer SerializerOf(int index) => _serializers[index] ??= NewSerializer(_layouts[index]);

    /// <summary>The serializer for objects of any layout, under the closed list of this description.</summary>
    public TypeSerializer SerializerOf(TypeLayout layout) => _allowed.SerializerOf(layout);

    /// <summary>The field serializer that reads values of one written type into a place of another type.</summary>
    public FieldSerializer NewFieldSerializer(Type type, TypeLayout described, string member) =>
        _source.NewFieldSerializer(type, described, member);

    /// <summary>Whether objects in places of the type belong to the host.</summary>
    public bool IsExternal(Type type) => _registry.Rules.IsExternal(type);

    /// <summary>Makes the serializers of all described types that this process knows, the root among them.</summary>
    /// <exception cref="SlimException">A described type cannot be read in this process.</exception>
    public void BindAll(Type root)
    {
        var serializer = SerializerOf(0);
        if (!root.IsAssignableFrom(serializer.Type) && Nullable.GetUnderlyingType(root) != serializer.Type)
            throw Throw.Layout(_layouts[0].Name, $"{_layouts[0].Name} was written, which does not become {root}.");
        for (var i = 1; i < _layouts.Length; i++)
        {
            // Unknown types are skipped where no field needs them, and refused where one does.
            if (!_layouts[i].IsOpen && _allowed.FindCarriedByName(_layouts[i].Name) is not null)
                SerializerOf(i);
        }
    }

    public bool IsOf(AllowSet allowed) => ReferenceEquals(_allowed, allowed);

    /// <summary>The layout of a type of this process in the description, which has it.</summary>
    public TypeLayout Find(Type type) =>
        Array.Find(_layouts, layout => _registry.Names.Means(layout, type))
            ?? throw new UnreachableException($"The description of a type lacks its part {type}.");

    private TypeSerializer NewSerializer(TypeLayout described)
    {
        var type = _allowed.FindByName(described.Name)?.Type
            ?? throw _allowed.Unknown(described.Name);
        if (type.IsValueType)
            return (TypeSerializer)Activations.New(
                typeof(BoxSerializer<>), [type], _source.NewFieldSerializer(type, described, null));
        var own = _registry.Layouts.Of(type);
        if (described.IsValue)
            throw Throw.Layout(described.Name, $"{described.Name} was written as a struct and is a class here.");
        if (!LayoutForms.AreSame(described, own, _registry.Names))
            throw Throw.Layout(described.Name, $"{described.Name} was written in another form than it has here.");
        return new SerializerFactory(_source, _registry.Rules).NewSerializer(type);
    }
}

/// <summary>The position of a described layout.</summary>
/// <param name="Types">The description.</param>
/// <param name="Index">The position in it.</param>
internal sealed record DescribedPlace(DescribedTypes Types, int Index) : LayoutPlace(Index);
