using System.Linq.Expressions;
using System.Reflection.Emit;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

/// <summary>Delegates: static methods of classes that were opted in, and nothing else.</summary>
[Trait("Case", "slim-I")]
public sealed class DelegateTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AllowMethodsOf(typeof(Rules)).Allow<Func<int, int>>().Allow<Func<string, int>>().Allow<Reckoner>());

    private delegate bool Reckoner(string text, out int number);

    [Fact]
    public void StaticMethod_OfAnOptedInClass_ComesBack()
    {
        var back = _slim.DeepClone(new Order { Rule = Rules.Double, Other = new object[] { (Reckoner)Rules.Parse } });
        Assert.Equal(42, back.Rule!(21));
        Assert.True(((Reckoner)((object[])back.Other!)[0])("7", out var number));
        Assert.Equal(7, number);
    }

    [Fact]
    public void Overloads_AreToldApart_AndPrivateOnesWork()
    {
        Assert.Equal(4, _slim.DeepClone<Func<int, int>>(Rules.Size)(4));
        Assert.Equal(3, _slim.DeepClone<Func<string, int>>(Rules.Size)("abc"));
        Assert.Equal(5, _slim.DeepClone(Rules.Hidden)(4));
    }

    [Fact]
    public void SharedDelegate_KeepsItsIdentity()
    {
        Func<int, int> rule = Rules.Double;
        var back = _slim.DeepClone(new[] { rule, rule });
        Assert.Same(back[0], back[1]);
    }

    [Fact]
    public void WithoutOptIn_IsRefusedInEveryProfile_WithItsPath()
    {
        foreach (var profile in Enum.GetValues<SlimProfile>())
        {
            SlimSerializer slim = new(new SlimOptions { Profile = profile });
            CheckRefused(slim, Rules.Double, "AllowMethodsOf");
            Assert.Null(slim.DeepClone(new Order()).Rule);
        }
    }

    [Fact]
    public void OtherClass_IsRefusedWithTheLineToAdd() =>
        CheckRefused(_slim, Strangers.Double, ".AllowMethodsOf(typeof(Strangers))");

    [Fact]
    [Trait("BackEnd", "Emitted")]
    public void InstanceClosureMulticastAndMadeMethods_AreRefused()
    {
        var added = 3;
        DynamicMethod made = new("made", typeof(int), [typeof(int)]);
        var il = made.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
        Func<int, int> twice = Rules.Double;
        twice += Rules.Double;
        CheckRefused(_slim, x => x + added, "only static methods");
        CheckRefused(_slim, static x => x, "only static methods");
        CheckRefused(_slim, new Rules.Instance().Add, "only static methods");
        CheckRefused(_slim, twice, "several methods");
        CheckRefused(_slim, made.CreateDelegate<Func<int, int>>(), "made at run time");
        Expression<Func<int, int>> expression = x => x + 1;
        CheckRefused(_slim, expression.Compile(), "only static methods");
        var open = typeof(string).GetProperty("Length")!.GetMethod!.CreateDelegate<Func<string, int>>();
        Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(open));
        Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize<Func<int, int>>(Rules.Generic<int>));
    }

    [Fact]
    public void DelegateTypeThatIsNotListed_IsRefused()
    {
        SlimSerializer slim = new(new SlimOptions().AllowMethodsOf(typeof(Rules)));
        Assert.Throws<SlimTypeNotAllowedException>(
            () => slim.Serialize<object>(new object[] { (Func<int, int>)Rules.Double }));
    }

    [Fact]
    public void ForgedMethod_OutsideOfTheListOrOfAnotherSignature_IsRefused()
    {
        SlimSerializer wider = new(new SlimOptions()
            .AllowMethodsOf(typeof(Rules)).AllowMethodsOf(typeof(Strangers)).Allow<Func<int, int>>());
        var message = wider.Serialize<Func<int, int>>(Strangers.Double);
        SlimException error = Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Deserialize<Func<int, int>>(message));
        Assert.Contains("on no list", error.Message, StringComparison.Ordinal);

        // The other overload fits the list, but not the delegate.
        var forged = _slim.Serialize<Func<long, int>>(Rules.Same);
        var at = forged.AsSpan().LastIndexOf("Same(System.Int64)"u8);
        "Same(System.Int32)"u8.CopyTo(forged.AsSpan(at));
        error = Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Func<long, int>>(forged));
        Assert.Contains("signature", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_RefuseFrameworkAndOpenTypes()
    {
        Assert.Throws<ArgumentException>(() => new SlimOptions().AllowMethodsOf(typeof(Environment)));
        Assert.Throws<ArgumentException>(() => new SlimOptions().AllowMethodsOf(typeof(Open<>)));
        Assert.Throws<ArgumentException>(() => new SlimOptions().AllowCallbacks<List<int>>());
    }

    private static void CheckRefused(SlimSerializer slim, Func<int, int> rule, string reason)
    {
        for (var i = 0; i < 2; i++)
        {
            var error = Assert.Throws<SlimTypeNotSupportedException>(
                () => slim.Serialize(new Order { Rule = rule }));
            Assert.Equal("Order.Rule", error.MemberPath);
            Assert.Contains(reason, error.Message, StringComparison.Ordinal);
        }
    }

    private sealed class Order
    {
        public Func<int, int>? Rule { get; set; }

        public object? Other { get; set; }
    }

    private static class Rules
    {
        public static Func<int, int> Hidden => Secret;

        public static int Double(int number) => number * 2;

        public static int Size(int number) => number;

        public static int Size(string text) => text.Length;

        public static int Same(int number) => number;

        public static int Same(long number) => (int)number;

        public static T Generic<T>(T value) => value;

        public static bool Parse(string text, out int number) =>
            int.TryParse(text, CultureInfo.InvariantCulture, out number);

        private static int Secret(int number) => number + 1;

        public sealed class Instance
        {
            private readonly int _added = 1;

            public int Add(int number) => number + _added;
        }
    }

    private static class Strangers
    {
        public static int Double(int number) => number * 2;
    }

    private static class Open<T>
    {
        public static T? Get() => default;
    }
}
