using System.Collections.Frozen;

namespace Cluster.Slim.Types.Policy;

/// <summary>Types of frameworks and well-known libraries whose properties, constructors or callbacks execute their
/// content. They are known from attacks on other serializers. No profile carries them, or types derived from
/// them.</summary>
internal static class Gadgets
{
    private static readonly FrozenSet<string> Names = new[]
    {
        "System.Windows.Data.ObjectDataProvider",
        "System.Windows.ResourceDictionary",
        "System.Windows.Markup.XamlReader",
        "System.Windows.Forms.AxHost+State",
        "System.Windows.Forms.BindingSource",
        "System.Configuration.Install.AssemblyInstaller",
        "System.Configuration.SettingsPropertyValue",
        "System.Activities.Presentation.WorkflowDesigner",
        "System.Workflow.ComponentModel.Activity",
        "System.Workflow.ComponentModel.Serialization.ActivitySurrogateSelector",
        "System.Management.Automation.PSObject",
        "System.Management.IWbemClassObjectFreeThreaded",
        "System.Security.Claims.ClaimsIdentity",
        "System.Security.Claims.ClaimsPrincipal",
        "System.Security.Principal.WindowsIdentity",
        "System.Security.Principal.WindowsPrincipal",
        "System.Data.DataSet",
        "System.Data.DataTable",
        "System.Data.DataViewManager",
        "System.Data.Services.Internal.ExpandedWrapper`2",
        "System.Diagnostics.Process",
        "System.Diagnostics.ProcessStartInfo",
        "System.Drawing.Design.ToolboxItemContainer",
        "System.Messaging.BinaryMessageFormatter",
        "System.Resources.ResXResourceSet",
        "System.Runtime.Remoting.ObjRef",
        "System.Web.Security.RolePrincipal",
        "System.Web.UI.LosFormatter",
        "System.Web.UI.ObjectStateFormatter",
        "System.Web.UI.WebControls.ObjectDataSource",
        "System.Xml.XmlDocument",
        "System.Xml.XmlDataDocument",
        "System.IO.FileSystemInfo",
        "System.CodeDom.Compiler.TempFileCollection",
        "Microsoft.Exchange.Security.Authentication.GenericSidIdentity",
        "Microsoft.IdentityModel.Claims.WindowsClaimsIdentity",
        "Microsoft.VisualStudio.Text.Formatting.TextFormattingRunProperties",
    }.ToFrozenSet(StringComparer.Ordinal);

    public static bool IsKnown(Type type)
    {
        for (var level = type; level is not null; level = level.BaseType)
        {
            var definition = level.IsGenericType ? level.GetGenericTypeDefinition() : level;
            if (definition.FullName is { } name && Names.Contains(name))
                return true;
        }

        return false;
    }
}
