using System.Data;
using System.Security.Claims;
using System.Security.Principal;
using System.Xml;
using Cluster.Glue.Tests.Fuzzing;

namespace Cluster.Glue.Tests.Security;

/// <summary>Types that are known from attacks on other serializers reach a server over a link as arguments: refused by
/// their names, before anything is made of them, and the server goes on.</summary>
public sealed class GadgetTests : IAsyncLifetime
{
    private const string TakeAnything = "TakeAnythingAsync(System.Object):void";
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private GlueHost _host = null!;

    public async Task InitializeAsync() => _host = await ForgedCall.StartServerAsync<ForgedCall.Empty>();

    public async Task DisposeAsync() => await _host.DisposeAsync();

    /// <summary>That nothing but its name refuses a forged object.</summary>
    [Fact]
    public async Task ForgedObject_OfATypeOnTheList_IsAccepted() =>
        Assert.Null(await SendAsync(NameOf(typeof(ForgedCall.Empty))));

    /// <summary>Those that this platform has.</summary>
    [Theory]
    [InlineData(typeof(Process))]
    [InlineData(typeof(ProcessStartInfo))]
    [InlineData(typeof(DataSet))]
    [InlineData(typeof(DataTable))]
    [InlineData(typeof(XmlDocument))]
    [InlineData(typeof(ClaimsIdentity))]
    [InlineData(typeof(ClaimsPrincipal))]
    [InlineData(typeof(WindowsIdentity))]
    [InlineData(typeof(FileInfo))]
    [InlineData(typeof(DirectoryInfo))]
    [InlineData(typeof(Action))]
    [InlineData(typeof(Comparison<string>))]
    [InlineData(typeof(Func<string, string, Process>))]
    [InlineData(typeof(Lazy<Process>))]
    [InlineData(typeof(System.Reflection.Assembly))]
    [InlineData(typeof(System.Resources.ResourceReader))]
    [InlineData(typeof(System.Runtime.Serialization.SerializationInfo))]
    [Trait("Case", "glue-99")]
    public Task GadgetOfThisPlatform_IsRefused(Type gadget) => CheckRefusedAsync(NameOf(gadget));

    /// <summary>Those of frameworks and libraries that a program might load, and types hidden in others.</summary>
    [Theory]
    [InlineData("System.Windows.Data.ObjectDataProvider, PresentationFramework")]
    [InlineData("System.Windows.Markup.XamlReader, PresentationFramework")]
    [InlineData("System.Configuration.Install.AssemblyInstaller, System.Configuration.Install")]
    [InlineData("System.Configuration.SettingsPropertyValue, System.Configuration")]
    [InlineData("System.Workflow.ComponentModel.Serialization.ActivitySurrogateSelector, System.Workflow.ComponentModel")]
    [InlineData("System.Management.Automation.PSObject, System.Management.Automation")]
    [InlineData("System.Web.UI.LosFormatter, System.Web")]
    [InlineData("System.Runtime.Remoting.ObjRef, mscorlib")]
    [InlineData("System.CodeDom.Compiler.TempFileCollection, System.CodeDom")]
    [InlineData("Microsoft.VisualStudio.Text.Formatting.TextFormattingRunProperties, Microsoft.VisualStudio.Text")]
    [InlineData("System.DelegateSerializationHolder, System.Private.CoreLib")]
    [InlineData("System.Collections.Generic.ComparisonComparer`1[System.String]")]
    [InlineData("System.Collections.Generic.SortedSet`1[System.Comparison`1[System.String]]")]
    [InlineData("System.Collections.Generic.List`1[System.Data.DataSet, System.Data.Common]")]
    [InlineData("System.Collections.Generic.Dictionary`2[System.String;System.Diagnostics.Process]")]
    [Trait("Case", "glue-99")]
    public Task GadgetByName_IsRefused(string name) => CheckRefusedAsync(name);

    private async Task CheckRefusedAsync(string name)
    {
        var refusal = await SendAsync(name) ?? $"{name} was accepted";
        Assert.Contains("cannot rebuild the arguments", refusal, StringComparison.Ordinal);
        Assert.Contains("is not on the closed list", refusal, StringComparison.Ordinal);
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Bound });
        Assert.Equal("x", await client.CreateProxy<IProbes>(_host.Address).EchoTextAsync("x").WaitAsync(Bound));
    }

    private Task<string?> SendAsync(string name) =>
        ForgedCall.SendAsync(_host.Address, TakeAnything, [typeof(object)], ForgedCall.ObjectNamed(name));

    private static string NameOf(Type type) =>
        type.Assembly == typeof(object).Assembly
            ? type.FullName!
            : $"{type.FullName}, {type.Assembly.GetName().Name}";
}
