namespace Cluster.Slim.Tests.Format;

/// <summary>One step of a layout as the format page defines it: number, count, types.</summary>
internal sealed record PageStep(int Op, int Count, PageLayout[] Types);

/// <summary>The layout of one type as the format page defines it. Those of types with a code stand in the page's tables
/// and are copied from there; the others come out of messages.</summary>
internal sealed class PageLayout
{
    public const int TraitValue = 1;
    public const int TraitOpen = 2;
    public const int TraitHasBody = 4;

    private static readonly int?[] ValueBytes =
    [
        null, null, null, 1, 1, 1, 2, 2, 2, 4, 4, 8, 8, 16, 16, 2, 4, 8, 16, 8, 10, 8, 4, 8, 16, 4, 4, 8, null, 16,
    ];

    private static readonly int[] ArrayElements = [1, 2, 4, 9, 11, 17, 3, 6, 16, 18, 24, 19];
    private static readonly int[] ListItems = [1, 2, 9, 11, 17];
    private static readonly PageLayout[] Known = [.. Enumerable.Range(0, 58).Select(code => new PageLayout { Name = $"#{code}" })];

    static PageLayout()
    {
        for (var code = 1; code < Known.Length; code++)
            (Known[code].Traits, Known[code].Creation, Known[code].Body) = TableRow(code);
    }

    public string Name { get; private set; } = "";

    public int Traits { get; private set; }

    public (string Name, PageLayout Type)[] Fields { get; private set; } = [];

    public PageStep[] Creation { get; private set; } = [];

    public PageStep[] Body { get; private set; } = [];

    public bool IsValue => (Traits & TraitValue) != 0;

    public static PageLayout OfCode(uint code) => Known[code];

    /// <summary>Reads the layouts of one description; the first is that of the described type.</summary>
    public static PageLayout Read(byte[] description)
    {
        PageBytes bytes = new(description);
        List<PageLayout> layouts = [new()];
        PageLayout TypeAt(uint number)
        {
            while (number >= 64 && layouts.Count <= number - 64)
                layouts.Add(new PageLayout());
            return number < 64 ? Known[number] : layouts[(int)number - 64];
        }

        for (var i = 0; !bytes.IsAtEnd; i++)
            layouts[i].Fill(bytes, TypeAt);
        Assert.All(layouts, static layout => Assert.NotEqual("", layout.Name));
        return layouts[0];
    }

    private void Fill(PageBytes bytes, Func<uint, PageLayout> typeAt)
    {
        Name = bytes.Name();
        Traits = bytes.Byte();
        for (var i = bytes.Var(); i > 0; i--)
            bytes.Name();
        Fields = [.. Enumerable.Range(0, (int)bytes.Var()).Select(_ =>
        {
            var field = bytes.Name();
            bytes.Var();
            return (field, typeAt(bytes.Var()));
        })];
        Creation = Steps(bytes, typeAt);
        Body = Steps(bytes, typeAt);
    }

    private static PageStep[] Steps(PageBytes bytes, Func<uint, PageLayout> typeAt) =>
        [.. Enumerable.Range(0, (int)bytes.Var()).Select(_ =>
        {
            int op = bytes.Byte();
            var count = op is 1 or 3 or 5 or 7 or 15 ? (int)bytes.Var() : 0;
            var types = op switch
            {
                2 or 4 or 5 or 8 or 10 => 1,
                3 => count,
                _ => 0,
            };
            return new PageStep(op, count, [.. Enumerable.Range(0, types).Select(_ => typeAt(bytes.Var()))]);
        })];

    private static (int Traits, PageStep[] Creation, PageStep[] Body) TableRow(int code) => code switch
    {
        1 => (TraitOpen, [], []),
        2 => (0, [], []),
        < 30 when ValueBytes[code] is { } size => (TraitValue, [], [Step(1, size)]),
        28 => (TraitValue, [], [Step(3, 1, 4)]),
        30 => (0, [Step(1, 16)], []),
        31 => (0, [Step(1, 1), Step(2, 0, 2)], []),
        32 => (0, [Step(11, 0)], []),
        33 => (0, [Step(11, 0), Step(1, 2)], []),
        34 or 35 => (0, [Step(2, 0, 2)], []),
        36 => (0, [Step(13, 0)], []),
        37 => (0, [Step(12, 0)], []),
        < 50 => (TraitHasBody, [Step(6, 0)], [Step(8, 0, ArrayElements[code - 38])]),
        < 55 => (TraitHasBody, [], [Step(3, 1, ListItems[code - 50])]),
        57 => (0, [Step(1, 4)], []),
        _ => (TraitHasBody, [Step(9, 0)], [Step(2, 0, 1), Step(3, 2, 2, code == 55 ? 1 : 2)]),
    };

    private static PageStep Step(int op, int count, params int[] types) =>
        new(op, count, [.. types.Select(code => Known[code])]);
}
