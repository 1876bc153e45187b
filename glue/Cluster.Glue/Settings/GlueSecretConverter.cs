using System.ComponentModel;
using Cluster.Glue.Authorization;

namespace Cluster.Glue.Settings;

/// <summary>Lets the configuration binder create secrets from text. It accepts every text, because the binder writes a
/// refused text into its exception. Stateless.</summary>
internal sealed class GlueSecretConverter : TypeConverter
{
    public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType) =>
        sourceType == typeof(string) || base.CanConvertFrom(context, sourceType);

    public override object? ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) =>
        value is string text ? new GlueSecret(text) : base.ConvertFrom(context, culture, value);
}
