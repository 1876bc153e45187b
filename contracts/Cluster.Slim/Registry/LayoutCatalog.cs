using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Registry;

/// <summary>Holds the layouts of the types of one serializer, as their type serializers and field serializers describe
/// them. The catalog grows with the types used. Reads take no lock; the lock lets only one thread add layouts, which
/// other threads see when they are complete.</summary>
internal sealed class LayoutCatalog(SerializerRegistry serializers)
{
    private readonly ConcurrentDictionary<Type, TypeLayout> _known = new();
    private readonly Lock _adding = new();

    public TypeLayout Of(Type type) => _known.TryGetValue(type, out var known) ? known : Add(type);

    /// <summary>The layout of a type that has a code in the format. Refuses a code that no type has.</summary>
    public TypeLayout OfCode(uint code)
    {
        var type = WireTypes.TypeOf(code);
        if (type is null)
            Throw.Malformed($"The type code {code} is not in use.");
        return Of(type!);
    }

    private TypeLayout Add(Type type)
    {
        lock (_adding)
        {
            Dictionary<Type, TypeLayout> fresh = [];
            Queue<TypeLayout> waiting = new();
            var found = Resolve(type);
            while (waiting.TryDequeue(out var layout))
                Fill(layout, layout.Type!, Resolve);
            LayoutSizes.Measure(fresh.Values);
            foreach ((var added, var layout) in fresh)
                _known.TryAdd(added, layout);
            return found;

            TypeLayout Resolve(Type part)
            {
                part = WireTypes.WrittenTypeOf(part);
                if (_known.TryGetValue(part, out var layout) || fresh.TryGetValue(part, out layout))
                    return layout;
                layout = new TypeLayout(TypeNames.Of(part)) { Type = part, WireCode = WireTypes.CodeOf(part) };
                fresh.Add(part, layout);
                waiting.Enqueue(layout);
                return layout;
            }
        }
    }

    private void Fill(TypeLayout layout, Type type, Func<Type, TypeLayout> resolve)
    {
        LayoutBuilder builder = new(type, resolve);
        if (type.IsValueType)
        {
            layout.Traits = type.IsEnum ? LayoutTraits.Value | LayoutTraits.Enum : LayoutTraits.Value;
            serializers.FieldSerializerOf(type).Describe(builder);
        }
        else
        {
            if (type.IsAbstract || type == typeof(object))
                layout.Traits |= LayoutTraits.Open;
            if (serializers.FindCarried(type) is not { } serializer)
            {
                layout.Traits |= LayoutTraits.Open;
                return;
            }

            if (serializer.HasBody)
                layout.Traits |= LayoutTraits.HasBody;
            serializer.Describe(builder);
        }

        layout.Creation = builder.Creation.ToArray();
        layout.Body = builder.Body.ToArray();
        layout.Fields = builder.Fields;
        layout.Bases = BasesOf(type, layout.Fields);
    }

    private static string[] BasesOf(Type type, FieldLayout[] fields)
    {
        var names = new string[fields.Select(static f => f.Level).DefaultIfEmpty().Max()];
        for (var i = 0; i < names.Length; i++)
            names[i] = TypeNames.Of(type = type.BaseType!);
        return names;
    }
}
