using Cluster.Slim.Errors;

namespace Cluster.Slim.Layouts;

/// <summary>Reads the description of a type. The decoder checks all bounds; the layouts that it returns obey the same
/// rules as the layouts of this process. Used once.</summary>
/// <param name="bytes">The description.</param>
/// <param name="layoutOfCode">Finds the layout of a type that has a code in the format.</param>
internal ref struct LayoutDecoder(ReadOnlySpan<byte> bytes, Func<uint, TypeLayout> layoutOfCode)
{
    private ReadOnlySpan<byte> _left = bytes;
    private int _referenced = 1;

    /// <summary>Reads only the name of the described type.</summary>
    public static string NameOf(ReadOnlySpan<byte> description) =>
        new LayoutDecoder(description, static _ => null!).ReadText();

    /// <summary>Returns the layout of the described type first, then the layouts of the types that it uses.</summary>
    public TypeLayout[] Decode()
    {
        // An entry may refer to a later entry: all entries are created before one is filled.
        List<TypeLayout> entries = [];
        List<Entry> contents = [];
        while (entries.Count < _referenced)
        {
            entries.Add(new TypeLayout(ReadText()));
            contents.Add(ReadEntry());
        }

        if (!_left.IsEmpty)
            Throw.Malformed("A type description is longer than its content.");
        TypeLayout[] layouts = [.. entries];
        if (layouts.Select(static l => l.Name).Distinct(StringComparer.Ordinal).Count() < layouts.Length)
            Throw.Malformed("A type description names a type twice.");
        for (var i = 0; i < layouts.Length; i++)
            Fill(layouts[i], contents[i], layouts);
        LayoutSizes.Measure(layouts);
        return layouts;
    }

    private readonly void Fill(TypeLayout layout, Entry content, TypeLayout[] layouts)
    {
        layout.Traits = content.Traits;
        layout.Bases = content.Bases;
        layout.Fields = new FieldLayout[content.Fields.Length];
        for (var i = 0; i < layout.Fields.Length; i++)
        {
            (var name, var level, var type) = content.Fields[i];
            layout.Fields[i] = new FieldLayout(name, level, Resolve(type, layouts));
        }

        layout.Creation = ResolveSteps(content.Creation, layouts);
        layout.Body = ResolveSteps(content.Body, layouts);
        if (layout.IsValue ? layout.Creation.Length > 0 || layout.HasBody : layout.IsEnum)
            Throw.Malformed("A type description contradicts itself.");
    }

    private readonly LayoutStep[] ResolveSteps(Step[] steps, TypeLayout[] layouts)
    {
        var resolved = new LayoutStep[steps.Length];
        for (var i = 0; i < steps.Length; i++)
        {
            var types = new TypeLayout[steps[i].Types.Length];
            for (var j = 0; j < types.Length; j++)
                types[j] = Resolve(steps[i].Types[j], layouts);
            resolved[i] = new LayoutStep(steps[i].Op, steps[i].Count, types);
        }

        return resolved;
    }

    private readonly TypeLayout Resolve(uint reference, TypeLayout[] layouts) => reference < ObjectTags.TypeTableFirst
        ? layoutOfCode(reference)
        : layouts[reference - ObjectTags.TypeTableFirst];

    private Entry ReadEntry()
    {
        var traits = (LayoutTraits)ReadByte();
        if ((traits & ~(LayoutTraits.Value | LayoutTraits.Open | LayoutTraits.HasBody | LayoutTraits.Enum)) != 0)
            Throw.Malformed("A type description has unknown traits.");
        var bases = new string[ReadCount(1)];
        for (var i = 0; i < bases.Length; i++)
            bases[i] = ReadText();
        var fields = new (string, int, uint)[ReadCount(3)];
        for (var i = 0; i < fields.Length; i++)
        {
            fields[i] = (ReadText(), ReadNumber(), ReadReference());
            if (fields[i].Item2 > bases.Length)
                Throw.Malformed("A type description has a field of a class that it does not name.");
        }

        return new Entry(traits, bases, fields, ReadSteps(), ReadSteps());
    }

    private Step[] ReadSteps()
    {
        var steps = new Step[ReadCount(1)];
        var fields = 0;
        for (var i = 0; i < steps.Length; i++)
        {
            var op = (LayoutOp)ReadByte();
            if (op is < LayoutOp.Bytes or > LayoutOp.Target || (op == LayoutOp.Fields && ++fields > 1))
                Throw.Malformed("A type description has a step that does not exist.");
            var count = LayoutOps.HasCount(op) ? ReadNumber() : 0;
            if (op == LayoutOp.Items && (count == 0 || count > _left.Length))
                Throw.Malformed("A type description has items without types.");
            var types = new uint[LayoutOps.TypeCountOf(op, count)];
            for (var j = 0; j < types.Length; j++)
                types[j] = ReadReference();
            steps[i] = new Step(op, count, types);
        }

        return steps;
    }

    // The format orders the entries by the first reference to each, so only the next new entry may be referred to.
    private uint ReadReference()
    {
        var reference = (uint)ReadNumber();
        if (reference > ObjectTags.TypeTableFirst + (uint)_referenced || reference == 0)
            Throw.Malformed("A type description refers to a type that it does not have.");
        if (reference == ObjectTags.TypeTableFirst + (uint)_referenced)
            _referenced++;
        return reference;
    }

    private string ReadText()
    {
        var length = ReadCount(1);
        var text = Encoding.UTF8.GetString(_left[..length]);
        _left = _left[length..];
        return text;
    }

    private int ReadCount(int elementBytesMin)
    {
        var count = ReadNumber();
        if (count > _left.Length / elementBytesMin)
            Throw.Malformed("A type description announces more than it has bytes.");
        return count;
    }

    private byte ReadByte()
    {
        if (_left.IsEmpty)
            Throw.Malformed("A type description ends too early.");
        var value = _left[0];
        _left = _left[1..];
        return value;
    }

    private int ReadNumber()
    {
        var value = 0;
        for (var shift = 0; shift < 28; shift += 7)
        {
            var next = ReadByte();
            value |= (next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }

        Throw.Malformed("A number in a type description is damaged.");
        return 0;
    }

    /// <summary>The content of an entry after its name. Types are numbers of entries or codes.</summary>
    private sealed record Entry(
        LayoutTraits Traits,
        string[] Bases,
        (string Name, int Level, uint Type)[] Fields,
        Step[] Creation,
        Step[] Body);

    /// <summary>A step whose types are numbers of entries or codes.</summary>
    private sealed record Step(LayoutOp Op, int Count, uint[] Types);
}
