using Cluster.Glue.Signatures;

namespace Cluster.Glue.Tests.Semantics.Signatures;

/// <summary>What members a contract may have, and who runs them. Acceptance cases 2 to 7 and 11.</summary>
public abstract class SignatureSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int FormsMax = 40;

    [Fact]
    [Trait("Case", "glue-4")]
    public async Task GenericMethod_WorksForTypesOfAllKinds()
    {
        var methods = Proxy<IGenericMethods>();
        Assert.Equal(5, await methods.EchoAsync(5));
        Assert.Equal("five", await methods.EchoAsync("five"));
        Assert.Equal("red", (await methods.EchoAsync(new Fruit { Kind = "red" })).Kind);
        Assert.IsType<Apple>(await methods.EchoAsync<Fruit>(new Apple()));
        Assert.Equal("shelf", (await methods.EchoAsync<IShelf>(new Fruit { Kind = "shelf" })).Name());
        Assert.Null(await methods.EchoAsync<string?>(null));
        var repeated = await methods.RepeatAsync(1.5, 2);
        Assert.Equal([1.5, 1.5], repeated);
        var group = await methods.GroupAsync("even", 2, 4);
        Assert.Equal([2, 4], group["even"]);
    }

    [Fact]
    [Trait("Case", "glue-4")]
    public async Task GenericMethod_WithConstraints_IsClosedOverWhatSatisfiesThem()
    {
        var methods = Proxy<IGenericMethods>();
        Assert.Equal("Fruit", methods.Describe<Fruit>());
        Assert.Equal("Apple", methods.Describe<Apple>());
        Assert.Equal("Int321", await methods.SizeAsync(3));
        await methods.RememberAsync("two way");
        Assert.Equal(["String two way"], await methods.NotesAsync());
        await methods.NoteAsync(7);
        await Testing.Eventually.TrueAsync(
            async () => (await methods.NotesAsync()).Length == 2, TimeSpan.FromMinutes(1));
        Assert.Equal("Int32 7", (await methods.NotesAsync())[1]);
    }

    [Fact]
    [Trait("Case", "glue-3")]
    public async Task GenericOverloads_AreToldApart()
    {
        var methods = Proxy<IGenericMethods>();
        Assert.Equal("none", await methods.WhichAsync());
        Assert.Equal("Int32", await methods.WhichAsync<int>());
        Assert.Equal("Int32String", await methods.WhichAsync<int, string>());
        Assert.Equal("StringInt32", await methods.WhichAsync<string, int>());
        Assert.Equal("list of String", await methods.WhichListAsync(new List<string>()));
        Assert.Equal("array of String", await methods.WhichListAsync(Array.Empty<string>()));
    }

    [Fact]
    [Trait("Case", "glue-4")]
    public async Task TypeArgument_ThatIsNotListed_IsRefused_BeforeAnythingIsMade()
    {
        var methods = Proxy<IGenericMethods>();
        var exception = await Assert.ThrowsAsync<GlueException>(() => methods.WhichAsync<Stranger>());
        Assert.Equal(GlueErrorCode.TypeArgumentRefused, exception.Code);
        Assert.Equal(GlueDelivery.NotDelivered, exception.Delivery);
        Assert.Contains(typeof(Stranger).FullName!, exception.Message, StringComparison.Ordinal);
        Assert.Contains("ConfigureTypes", exception.Message, StringComparison.Ordinal);
        Assert.Equal("none", await methods.WhichAsync());
    }

    [Fact]
    [Trait("Case", "glue-4")]
    public async Task ClosedForms_OverTheLimit_AreRefused_AndKnownOnesWork()
    {
        var methods = Proxy<IGenericMethods>();
        Func<Task<string>>[] forms = [.. Forms(methods)];
        Assert.True(forms.Length > FormsMax);
        var served = 0;
        GlueException? refusal = null;
        foreach (var form in forms)
        {
            try
            {
                await form();
                served++;
            }
            catch (GlueException exception)
            {
                refusal ??= exception;
            }
        }

        Assert.Equal(FormsMax, served);
        Assert.Equal(GlueErrorCode.GenericFormsLimit, refusal!.Code);
        Assert.Contains($"{FormsMax}", refusal.Message, StringComparison.Ordinal);
        await forms[0]();
    }

    private static IEnumerable<Func<Task<string>>> Forms(IGenericMethods methods) =>
        With<int>(methods).Concat(With<long>(methods)).Concat(With<string>(methods)).Concat(With<Guid>(methods))
            .Concat(With<bool>(methods)).Concat(With<byte>(methods)).Concat(With<char>(methods));

    private static IEnumerable<Func<Task<string>>> With<T>(IGenericMethods methods) =>
        [
            methods.WhichAsync<T, int>, methods.WhichAsync<T, long>, methods.WhichAsync<T, string>,
            methods.WhichAsync<T, Guid>, methods.WhichAsync<T, bool>, methods.WhichAsync<T, byte>,
            methods.WhichAsync<T, char>,
        ];

    [Fact]
    [Trait("Case", "glue-11")]
    public async Task Properties_AreCallsOfTheirAccessors()
    {
        var propertied = Proxy<IPropertied>();
        Assert.Equal(7, propertied.Size);
        propertied.Size = 8;
        Assert.Equal(8, propertied.Size);
        Assert.Equal(16, await propertied.Later);
        propertied.Only = "set";
        Assert.Equal("set", propertied.Name);
    }

    [Fact]
    [Trait("Case", "glue-11")]
    public void DefaultMembers_RunOnTheServer_AsItsClassSays()
    {
        var defaults = Proxy<IWithDefaults>();
        Assert.Equal("class", defaults.Plain());
        Assert.Equal("interface greets you from class", defaults.Greet("you"));
        Assert.Equal("class", defaults.Overridden());
        var derived = Proxy<IDerivedDefaults>();
        Assert.Equal("derived interface", derived.Plain());
        Assert.Equal("interface", derived.Overridden());
    }

    [Fact]
    [Trait("Case", "glue-2")]
    public async Task TwentyArguments_KeepTheirPlaces() =>
        Assert.Equal(
            "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 s null",
            await Proxy<IManyArguments>().JoinAsync(
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, "s", null));

    [Fact]
    [Trait("Case", "glue-6")]
    public async Task TwoContracts_OfOneObject_KeepTheirMethodsApart()
    {
        Assert.Equal("first 1", await Proxy<IFirstName>().WhoAsync(1));
        Assert.Equal("second 2", await Proxy<ISecondName>().WhoAsync(2));
        Assert.Equal(1, await Proxy<IFirstName>().CountAsync());
        Assert.Equal(2, await Proxy<ISecondName>().CountAsync());
    }

    [Fact]
    [Trait("Case", "glue-5")]
    public async Task SameShortName_InTwoPlaces_IsRoutedApart()
    {
        Assert.Equal("snow", await Proxy<North.IWeather>().NowAsync());
        Assert.Equal("sun", await Proxy<South.IWeather>().NowAsync());
    }

    public override void ConfigureServer(GlueServerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.GenericForms = new GenericForms(FormsMax);
        options.ConfigureTypes = types => types.Allow<Fruit>().Allow<Apple>();
    }

    private protected override void AddServices(GlueServerBuilder glue) =>
        glue
            .AddService<IGenericMethods, GenericMethods>(GlueInstanceMode.Singleton)
            .AddService<IPropertied, Propertied>(GlueInstanceMode.Singleton)
            .AddService<IWithDefaults, WithDefaults>()
            .AddService<IDerivedDefaults, DerivedDefaults>()
            .AddService<IManyArguments, ManyArguments>()
            .AddService<IFirstName, TwoNames>(GlueInstanceMode.Singleton)
            .AddService<ISecondName, TwoNames>(GlueInstanceMode.Singleton)
            .AddService<North.IWeather, NorthWeather>()
            .AddService<South.IWeather, SouthWeather>();
}
