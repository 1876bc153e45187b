namespace Cluster.Slim.Tests.Format;

/// <summary>Reads messages by nothing but the format page: no code of Slim, no .NET types. What it can read proves that
/// the page says enough.</summary>
/// <param name="message">The message.</param>
/// <param name="catalog">Layouts by fingerprint, for messages that only name those.</param>
internal sealed class PageReader(byte[] message, Dictionary<ulong, PageLayout> catalog)
{
    private const int DepthMax = 96;

    private readonly PageBytes _bytes = new(message);
    private readonly List<PageLayout> _types = [];
    private readonly List<PageObject> _objects = [];
    private readonly Queue<(PageObject Object, int Count)> _waiting = new();
    private bool _isKnown;
    private bool _isBodyNext;
    private int _depth;

    /// <summary>Every described type of the message, by fingerprint.</summary>
    public Dictionary<ulong, PageLayout> Described { get; } = [];

    /// <summary>Every object of the message, by handle.</summary>
    public IReadOnlyList<PageObject> Objects => _objects;

    /// <summary>Reads the roots of a message, which end where it ends.</summary>
    public List<object?> Read()
    {
        Assert.Equal(0xB1, _bytes.Byte());
        var flags = _bytes.Byte();
        Assert.Equal(0, flags & ~5);
        _isKnown = (flags & 1) != 0;
        if ((flags & 4) != 0)
        {
            _bytes.Var();
            var described = _bytes.Var();
            for (var i = described; i > 0; i--)
                Describe();
            if (described > 0)
                Assert.Equal((uint)_types.Count, _bytes.Var());
        }

        List<object?> roots = [];
        while (!_bytes.IsAtEnd)
        {
            roots.Add(ObjectPlace(null));
            while (_waiting.TryDequeue(out var next))
            {
                _depth = 1;
                Body(next.Object, next.Count);
            }

            _depth = 0;
        }

        return roots;
    }

    private object? ObjectPlace(PageLayout? declared)
    {
        var head = _bytes.Var();
        if (head == 0)
            return null;
        if (head > 2)
            return _objects[(int)head - 3];
        var type = head == 2 ? TypeReference() : declared ?? throw new FormatException("A root has its type.");
        Assert.True(head == 2 || (type.Traits & PageLayout.TraitOpen) == 0, "NewExact in an open place");
        return ReferenceEquals(type, PageLayout.OfCode(2)) ? _bytes.Text() : New(type);
    }

    private PageObject New(PageLayout type)
    {
        PageObject created = new(_objects.Count, type);
        _objects.Add(created);
        _depth++;
        _isBodyNext = false;
        var count = Steps(created.Parts, created.Fields, type, type.Creation, 0);
        if (_depth > DepthMax && !_isBodyNext && (type.IsValue || (type.Traits & PageLayout.TraitHasBody) != 0))
            _waiting.Enqueue((created, count));
        else
            Body(created, count);
        _depth--;
        return created;
    }

    private void Body(PageObject target, int count)
    {
        if (target.Type.IsValue)
            target.Parts.Add(Place(target.Type));
        else
            Steps(target.Parts, target.Fields, target.Type, target.Type.Body, count);
    }

    // A place of any type. What a value takes is a list, or the one thing that is in it.
    private object? Place(PageLayout type)
    {
        if (ReferenceEquals(type, PageLayout.OfCode(2)))
            return _bytes.Text();
        if (!type.IsValue)
            return ObjectPlace(type);
        List<object?> parts = [];
        Dictionary<string, object?> fields = [];
        _depth++;
        Steps(parts, fields, type, type.Body, 0);
        _depth--;
        return fields.Count > 0 ? fields : parts.Count == 1 ? parts[0] : parts;
    }

    // Returns the number of elements that the body of an array will have.
    private int Steps(
        List<object?> parts, Dictionary<string, object?> fields, PageLayout type, PageStep[] steps, int count)
    {
        foreach (var step in steps)
        {
            switch (step.Op)
            {
                case 6:
                    count = (int)_bytes.Var();
                    break;
                case 7:
                    count = 1;
                    for (var i = 0; i < step.Count; i++)
                    {
                        _bytes.Take(4);
                        count *= (int)_bytes.Var();
                    }

                    break;
                case 14:
                    foreach ((var name, var field) in type.Fields)
                        fields[name] = Place(field);
                    break;
                default:
                    parts.Add(Part(step, count));
                    break;
            }
        }

        return count;
    }

    private object? Part(PageStep step, int count) => step.Op switch
    {
        1 => _bytes.Take(step.Count),
        2 => Place(step.Types[0]),
        3 => Places((int)_bytes.Var() * step.Count, i => step.Types[i % step.Count]),
        4 => _bytes.Byte() == 1 ? Place(step.Types[0]) : null,
        5 => Places(step.Count, _ => step.Types[0]),
        8 => Places(count, _ => step.Types[0]),
        9 => Comparer(),
        10 => ObjectPlace(step.Types[0]) is { } array ? new object[] { array, _bytes.Var(), _bytes.Var() } : null,
        11 => Address(),
        12 => TypeReference(),
        13 => _bytes.Take(((int)_bytes.Var() + 7) / 8),
        16 => Target(),
        _ => throw new NotSupportedException($"Step {step.Op} needs the code of a user."),
    };

    private List<object?> Places(int count, Func<int, PageLayout> typeAt) =>
        [.. Enumerable.Range(0, count).Select(i => Place(typeAt(i)))];

    private uint Comparer()
    {
        var code = _bytes.Var();
        if (code == 6)
        {
            _bytes.Text();
            _bytes.Take(4);
        }

        return code;
    }

    private PageLayout? Target()
    {
        var mark = _bytes.Byte();
        Assert.Equal(0, mark & ~3);
        _isBodyNext = (mark & 2) != 0;
        return (mark & 1) != 0 ? TypeReference() : null;
    }

    private byte[] Address()
    {
        var address = _bytes.Take(_bytes.Byte());
        return address.Length == 16 ? [.. address, .. _bytes.Take(4)] : address;
    }

    private PageLayout TypeReference()
    {
        var number = _bytes.Var();
        if (number == 0)
            return Describe();
        return number < 64 ? PageLayout.OfCode(number) : _types[(int)number - 64];
    }

    private PageLayout Describe()
    {
        var fingerprint = BitConverter.ToUInt64(_bytes.Take(8));
        var layout = catalog.GetValueOrDefault(fingerprint)!;
        if (!_isKnown)
        {
            var description = _bytes.Take((int)_bytes.Var());
            Assert.Equal(fingerprint, Slim.Hosting.XxHash3.Hash(description));
            layout = PageLayout.Read(description);
        }

        Described[fingerprint] = layout;
        _types.Add(layout);
        return layout;
    }
}
